package protocol

import (
	"encoding/json"
	"time"
)

// Item types.
const (
	ItemMessage  = "message"
	ItemPlan     = "plan"
	ItemTool     = "tool"
	ItemApproval = "approval"
	ItemSkill    = "skill_candidate"
)

// Item is one piece of a run's visible content. Exactly one of the pointers is set for a known
// Type; an item of unknown type is kept whole in Raw.
type Item struct {
	Type     string
	Message  *Message
	Plan     *Plan
	Tool     *Tool
	Approval *Approval
	Skill    *Skill
	Raw      RawJSON
}

// Message is one answer of the assistant. Format is markdown, report or json.
type Message struct {
	MessageID string `json:"message_id"`
	Format    string `json:"format"`
	Text      string `json:"text"`
	Reasoning string `json:"reasoning"`
	Complete  bool   `json:"complete"`
}

// Plan is a checklist; every update replaces it.
type Plan struct {
	PlanID string     `json:"plan_id"`
	Steps  []PlanStep `json:"steps"`
}

// Tool is one tool call. A Job can be cancelled on its own, as job CallID.
type Tool struct {
	Tool      string    `json:"tool"`
	CallID    string    `json:"call_id"`
	Args      RawJSON   `json:"args"`
	Job       bool      `json:"job"`
	Status    string    `json:"status"`
	Progress  *Progress `json:"progress"`
	Series    SeriesSet `json:"series"`
	Result    RawJSON   `json:"result"`
	Error     RawJSON   `json:"error"`
	StartedAt time.Time `json:"started_at,omitzero"`
	EndedAt   time.Time `json:"ended_at,omitzero"`
}

// Approval is a paused request and what became of it. Status is pending or the decision: approve,
// reject, modify, expired or cancelled. EffectiveArgs are what the tool was really called with.
type Approval struct {
	Request       PausedRequest `json:"request"`
	Status        string        `json:"status"`
	Comment       string        `json:"comment"`
	EffectiveArgs RawJSON       `json:"effective_args"`
}

// ID returns the item's id within its type; empty for an item of unknown type.
func (it Item) ID() string {
	switch {
	case it.Message != nil:
		return it.Message.MessageID
	case it.Plan != nil:
		return it.Plan.PlanID
	case it.Tool != nil:
		return it.Tool.CallID
	case it.Approval != nil:
		return it.Approval.Request.RequestID
	case it.Skill != nil:
		return it.Skill.CandidateID
	}
	return ""
}

// MarshalJSON writes the item with its type beside its fields.
func (it Item) MarshalJSON() ([]byte, error) {
	switch {
	case it.Message != nil:
		return json.Marshal(struct {
			Type string `json:"type"`
			*Message
		}{ItemMessage, it.Message})
	case it.Plan != nil:
		return json.Marshal(struct {
			Type string `json:"type"`
			*Plan
		}{ItemPlan, it.Plan})
	case it.Tool != nil:
		return json.Marshal(struct {
			Type string `json:"type"`
			*Tool
		}{ItemTool, it.Tool})
	case it.Approval != nil:
		return json.Marshal(struct {
			Type string `json:"type"`
			*Approval
		}{ItemApproval, it.Approval})
	case it.Skill != nil:
		return json.Marshal(struct {
			Type string `json:"type"`
			*Skill
		}{ItemSkill, it.Skill})
	}
	return it.Raw.MarshalJSON()
}
