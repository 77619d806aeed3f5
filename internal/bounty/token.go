package bounty

import (
	"encoding/base64"
	"encoding/json"

	"github.com/legwork-mcp/legwork/internal/bounty/rest"
)

// token is what a caller has seen of a task. It goes to the caller and comes back with
// the next wait: nothing is kept here, so that a restart, another process or a break of
// days loses nothing. It is no proof of anything: the board decides who may look.
type token struct {
	TaskID       string `json:"t"`
	Status       string `json:"s"`
	SubState     string `json:"u,omitempty"`
	Failure      string `json:"f,omitempty"`
	Submission   string `json:"d,omitempty"`
	Deadline     string `json:"l,omitempty"`
	Version      int64  `json:"v,omitempty"`
	Applications int    `json:"a,omitempty"`
}

// maxToken is more than any token has.
const maxToken = 2000

func tokenOf(t rest.Task) token {
	out := token{
		TaskID: clip(t.ID, 200), Status: clip(t.Status, 40), SubState: clip(t.SubState, 40), Failure: clip(t.FailureReason, 100),
		Deadline: clip(t.DeadlineAt, 40), Version: t.Version, Applications: t.ApplicationCount,
	}
	if t.Submission != nil {
		out.Submission = clip(t.Submission.ID, 200)
	}
	return out
}

// String is the token as callers get it.
func (t token) String() string {
	raw, _ := json.Marshal(t) // texts and numbers always marshal
	return base64.RawURLEncoding.EncodeToString(raw)
}

// parseToken reads the token of a task; nil when there is none.
func parseToken(text, taskID string) (*token, error) {
	if text == "" {
		return nil, nil
	}
	wrong := func(why string) error {
		return refuse("invalid_request", why, rest.FieldError{Field: "resume_token", Code: "invalid_value"})
	}
	raw, err := base64.RawURLEncoding.DecodeString(text)
	var t token
	if err != nil || len(text) > maxToken || json.Unmarshal(raw, &t) != nil || t.TaskID == "" {
		return nil, wrong("This is no resume_token. Use it exactly as it was returned, or leave it out.")
	}
	if t.TaskID != taskID {
		return nil, wrong("The resume_token is that of another task.")
	}
	return &t, nil
}
