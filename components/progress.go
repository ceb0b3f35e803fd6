package components

import (
	"strconv"

	"igraph-console/app/protocol"
	"igraph-console/app/store"
)

func itoa(n int) string { return strconv.Itoa(n) }

// progress is how far a run has come, as its plan and its newest job say. Steps count from 1; zero
// values are not known.
type progress struct {
	step, steps   int
	title         string
	epoch, epochs string
	call          string // of the job
	tenth         int    // of the job, 0 to 10
}

func progressOf(run *store.Run) progress {
	var at progress
	planned, training := false, false
	for i := run.Len() - 1; i >= 0 && !(planned && training); i-- {
		it := run.At(i)
		if it.Plan != nil && !planned {
			planned = true
			at.step, at.steps, at.title = planStep(it.Plan)
		}
		if it.Tool != nil && it.Tool.Job && !it.Tool.Ended() && !training {
			training = true
			at.addJob(it.Tool)
		}
	}
	return at
}

// planStep is the step being worked on: the first that is running, else the first not yet done.
func planStep(plan *protocol.Plan) (step, steps int, title string) {
	steps = len(plan.Steps)
	for i, s := range plan.Steps {
		if s.Status == protocol.StatusRunning {
			return i + 1, steps, s.Title
		}
	}
	for i, s := range plan.Steps {
		if s.Status == protocol.StatusPending {
			return i + 1, steps, s.Title
		}
	}
	if steps == 0 {
		return 0, 0, ""
	}
	return steps, steps, plan.Steps[steps-1].Title
}

func (at *progress) addJob(t *store.Tool) {
	at.call = t.CallID
	p := t.Progress
	if p == nil || p.Epoch == nil || p.Epochs == nil || *p.Epochs <= 0 {
		return
	}
	at.epoch, at.epochs = formatEpoch(*p.Epoch), formatEpoch(*p.Epochs)
	at.tenth = int(10 * min(max(*p.Epoch / *p.Epochs, 0), 1))
}
