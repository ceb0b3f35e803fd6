package observe

import "time"

// Waiting times. Reconnecting starts at half a second and doubles with jitter, so that many pages
// do not come back in step after a server restart; polls start at a second and grow.
const (
	reconnectFirst = 500 * time.Millisecond
	reconnectMax   = 10 * time.Second
	pollFirst      = time.Second
	pollMax        = 5 * time.Second
	pausedPoll     = 5 * time.Second
	// quietPolls is how many snapshots may bring no news before control is read.
	quietPolls = 4

	// silence is how long a stream may bring no byte, heartbeats included, by wall clock. Three
	// heartbeat periods.
	silence = 45 * time.Second
	// watchEvery is how often that is checked. After a sleep the first check comes at once.
	watchEvery = 4 * time.Second

	// patience is how long a confirmation may take before the page says so.
	patience = 20 * time.Second
)

// reconnectDelay is the wait before attempt n (from 1); random is in [0,1).
func reconnectDelay(n int, random float64) time.Duration {
	d := grow(reconnectFirst, n, reconnectMax)
	return min(d+time.Duration(random*float64(d)/4), reconnectMax)
}

// pollDelay is the wait before poll n (from 1).
func pollDelay(n int) time.Duration { return grow(pollFirst, n, pollMax) }

func grow(first time.Duration, n int, limit time.Duration) time.Duration {
	for ; n > 1 && first < limit; n-- {
		first *= 2
	}
	return min(first, limit)
}
