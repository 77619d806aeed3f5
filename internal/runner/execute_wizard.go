package runner

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/tool"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

var executeWizard = tool.New(tool.Spec{
	Name: "federalrunner_execute_wizard", Title: "Execute a form wizard",
	Description: "Fill in and submit a public form with user_data, and return its official answer with pictures of every page. " +
		"Call federalrunner_get_wizard_info first. Submitting is a real-world act: options.dry_run stops before it. " +
		"After wait_seconds the reply is status running with a run_id for federalrunner_get_run.",
	Effect: tool.Destroy, OpenWorld: true, Scope: scopeExecute, Rate: rateExecute, Cost: 20, Timeout: 10 * time.Minute,
	Outline: []string{
		"status", "wizard_id", "run_id", "execution_time_ms", "results", "screenshots", "pages_completed", "timestamp", "page_number",
		"validation_errors", "missing_fields", "message", "error_type", "error", "corrective_action", "recommendation",
	},
	Examples: []tool.Example{{Name: "dry run", Args: ExecuteIn{
		WizardID: "ssa-quick-calculator", UserData: json.RawMessage(`{"birth_month":"05","birth_day":"15","birth_year":"1980","current_earnings":"60000","dollar_type":"constant"}`),
		Options: &ExecuteOptions{DryRun: true},
	}}},
}, (*Server).executeWizard)

// ExecuteIn is what to run with which data.
type ExecuteIn struct {
	WizardID string          `json:"wizard_id" jsonschema:"from federalrunner_list_wizards"`
	UserData json.RawMessage `json:"user_data" type:"object" jsonschema:"the user's data, keyed by the contract's property names"`
	Options  *ExecuteOptions `json:"options,omitempty"`
}

// ExecuteOptions change how a wizard is run.
type ExecuteOptions struct {
	ReturnScreenshots *bool  `json:"return_screenshots,omitempty" default:"true" jsonschema:"include screenshots in the reply"`
	ScreenshotQuality int    `json:"screenshot_quality,omitempty" default:"80" minimum:"1" maximum:"100" jsonschema:"JPEG quality"`
	TimeoutSeconds    int    `json:"timeout_seconds,omitempty" default:"60" minimum:"5" maximum:"600" jsonschema:"maximum execution time"`
	WaitSeconds       *int   `json:"wait_seconds,omitempty" default:"45" minimum:"0" maximum:"300" jsonschema:"how long to wait for the answer in this call"`
	IdempotencyKey    string `json:"idempotency_key,omitempty" jsonschema:"the same key returns the same run instead of submitting again, for an hour"`
	DryRun            bool   `json:"dry_run,omitempty" jsonschema:"fill in and check everything, press no button that submits"`
	StopBeforeSubmit  bool   `json:"stop_before_submit,omitempty" jsonschema:"the same, for a person who wants to look first"`
	IncludeValues     bool   `json:"include_values,omitempty" jsonschema:"repeat the submitted values in the reply"`
	Engine            string `json:"engine,omitempty" enum:"chromium,chromium-headless-shell,firefox,webkit" jsonschema:"browser to use instead of the wizard's or the server's"`
}

// largestKey is the most characters of an idempotency key.
const largestKey = 200

// settle turns the caller's wishes into bounded options.
func (s Settings) settle(o *ExecuteOptions) (RunOptions, time.Duration, error) {
	out := RunOptions{Screenshots: true, Quality: s.Quality, Timeout: min(s.Timeout, s.MaxTimeout)}
	wait := s.Wait
	if o == nil {
		return out, wait, nil
	}
	if len(o.IdempotencyKey) > largestKey {
		return out, 0, fault.New(fault.Invalid, "invalid_options", "options.idempotency_key is longer than 200 characters.", "Use a shorter key, such as a UUID.")
	}
	out.Screenshots = o.ReturnScreenshots == nil || *o.ReturnScreenshots
	if o.ScreenshotQuality > 0 {
		out.Quality = o.ScreenshotQuality
	}
	if o.TimeoutSeconds > 0 {
		asked := time.Duration(o.TimeoutSeconds) * time.Second
		if out.Timeout = min(asked, s.MaxTimeout); out.Timeout < asked {
			out.Notes = append(out.Notes, fmt.Sprintf("timeout_seconds %d is more than this server allows: the run has %g s (execution_timeout of its settings)", o.TimeoutSeconds, s.MaxTimeout.Seconds()))
		}
	}
	if o.WaitSeconds != nil {
		wait = time.Duration(*o.WaitSeconds) * time.Second
	}
	out.DryRun, out.StopBeforeSubmit, out.IncludeValues, out.Engine = o.DryRun, o.StopBeforeSubmit, o.IncludeValues, o.Engine
	return out, wait, nil
}

func (s *Server) executeWizard(ctx context.Context, in ExecuteIn) (Answer, error) {
	e, err := s.entry(in.WizardID)
	if err != nil {
		return Answer{}, err
	}
	opts, wait, err := s.set.settle(in.Options)
	if err != nil {
		return Answer{}, err
	}
	answers, err := decode(in.UserData)
	if err != nil {
		return Answer{}, err
	}
	job := &Job{RunID: newRunID(), Entry: e, Answers: answers, Opts: opts}
	if check := validated(e, in.UserData); !check.Valid {
		return refused(job, check), nil
	}
	x := &execution{id: job.RunID, owner: tool.Caller(ctx).ID(), job: job}
	if in.Options != nil && in.Options.IdempotencyKey != "" {
		x.key, x.print = x.owner+"\x00"+in.Options.IdempotencyKey, fingerprint(in, answers)
	}
	x, err = s.runs.start(x, func(ctx context.Context) *outcome { return s.engine.execute(ctx, job) })
	if err != nil {
		return Answer{}, err
	}
	return s.await(ctx, x, wait), nil
}

// fingerprint tells whether two calls with one key ask for the same. A client that
// repeats a call may write the same data in another order.
func fingerprint(in ExecuteIn, answers wizard.Answers) string {
	o := *in.Options
	o.WaitSeconds = nil // a retry may be less patient
	h := sha256.New()
	enc := json.NewEncoder(h)
	_ = enc.Encode([]any{in.WizardID, answers, o}) // a hash takes every write
	return hex.EncodeToString(h.Sum(nil))
}

// Execute validates and runs a job to its end in the caller's time: for the
// command line, which has no registry to poll.
func (s *Server) Execute(ctx context.Context, e *wizard.Entry, data json.RawMessage, job Job) (Answer, error) {
	answers, err := decode(data)
	if err != nil {
		return Answer{}, err
	}
	job.RunID, job.Entry, job.Answers = newRunID(), e, answers
	if job.Opts.Timeout <= 0 {
		job.Opts.Timeout = s.set.MaxTimeout
	}
	if job.Opts.Quality <= 0 {
		job.Opts.Quality = s.set.Quality
	}
	if check := validated(e, data); !check.Valid {
		return refused(&job, check), nil
	}
	out := s.engine.execute(ctx, &job)
	return answerFor(&job, out, s.set), nil
}

// refused is the answer for data that the contract does not take: nothing was
// launched. Only-missing is the specification's missing_data.
func refused(job *Job, check ValidateOut) Answer {
	a := newAnswer(job)
	a.RunID = ""
	a.MissingFields = check.MissingFields
	for _, f := range check.InvalidFields {
		a.ValidationErrors = append(a.ValidationErrors, ValidationError{
			Field: orID(f.Label, f.FieldID), FieldID: f.FieldID, Path: f.Path, Message: f.Error,
			ProvidedValue: f.ProvidedValue, AllowedValues: f.AllowedValues,
		})
	}
	for _, u := range check.UnknownKeys {
		m := "the contract has no such key"
		if u.Nearest != "" {
			m += "; did you mean " + u.Nearest + "?"
		}
		a.ValidationErrors = append(a.ValidationErrors, ValidationError{Field: u.Key, FieldID: u.Key, Path: u.Path, Message: m})
	}
	for _, w := range check.Warnings {
		a.Warnings = append(a.Warnings, w.FieldID+": "+w.Message)
	}
	if len(a.ValidationErrors) == 0 {
		a.Status, a.Message = StatusMissingData, "Please provide the missing required information"
		a.ErrorType, a.Error = StatusMissingData, "Required data is missing; the form was not opened."
		a.CorrectiveAction = "Ask the person for the missing fields, then execute again."
		return a
	}
	a.Status, a.ErrorType = StatusValidationError, StatusValidationError
	a.Error = "User data validation failed; the form was not opened."
	a.CorrectiveAction = "Correct the named fields to match the contract, then execute again."
	return a
}

func orID(label, id string) string {
	if label == "" {
		return id
	}
	return label
}
