package rest

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"
)

// NewTask is a task to post (section 4.2 of the specification, and what was added).
// Amounts are exact decimals as they were given.
type NewTask struct {
	Task               string      `json:"task"`
	OriginCountry      string      `json:"origin_country"`
	TaskLabel          string      `json:"task_label"`
	AcceptanceCriteria string      `json:"acceptance_criteria"`
	NotAllowed         string      `json:"not_allowed"`
	BudgetUSD          json.Number `json:"budget_usd,omitempty"`
	Currency           string      `json:"currency,omitempty"`
	AmountMinor        int64       `json:"amount_minor,omitempty"`
	Location           string      `json:"location,omitempty"`
	Deliverable        string      `json:"deliverable,omitempty"`
	DeadlineMinutes    int         `json:"deadline_minutes,omitempty"`
	WorkCountry        string      `json:"work_country,omitempty"`
	Prefecture         string      `json:"prefecture,omitempty"`
	City               string      `json:"city,omitempty"`
	ExactLocation      string      `json:"exact_location,omitempty"`
	Evidence           []Evidence  `json:"evidence,omitempty"`
	ClientRef          string      `json:"client_ref,omitempty"`
	OnNoSupply         string      `json:"on_no_supply,omitempty"`
	ConsentWait        *int        `json:"consent_wait_seconds,omitempty"`
}

// Evidence is one thing that a submission must have.
type Evidence struct {
	Kind     string `json:"kind"`
	Label    string `json:"label"`
	Count    int    `json:"count,omitempty"`
	Required bool   `json:"required,omitempty"`
}

// Quote is what a task costs and what its worker gets, in minor units of the currency.
type Quote struct {
	Takehome int64  `json:"worker_takehome_minor"`
	Fee      int64  `json:"fee_minor"`
	Total    int64  `json:"total_minor"`
	Currency string `json:"currency"`
}

// Posted is the answer to a task that was posted.
type Posted struct {
	ID         string `json:"id"`
	TaskID     string `json:"task_id"`
	Status     string `json:"status"`
	SubState   string `json:"sub_state"`
	DeadlineAt string `json:"deadline_at"`
	ClientRef  string `json:"client_ref"`
	Quote      *Quote `json:"quote"`
	// Warnings are what the board advises to change.
	Warnings []string `json:"warnings"`
	// Replayed is true when an earlier request with this key did it.
	Replayed bool `json:"-"`
}

// Task is a task as the board shows it to this caller; boards fill in different parts.
type Task struct {
	ID                 string          `json:"id"`
	Task               string          `json:"task"`
	Display            string          `json:"task_display"`
	Status             string          `json:"status"`
	SubState           string          `json:"sub_state"`
	StatusText         string          `json:"status_text"`
	FailureReason      string          `json:"failure_reason"`
	TaskLabel          string          `json:"task_label"`
	OriginCountry      string          `json:"origin_country"`
	WorkCountry        string          `json:"work_country"`
	Location           string          `json:"location"`
	AcceptanceCriteria string          `json:"acceptance_criteria"`
	NotAllowed         string          `json:"not_allowed"`
	Deliverable        json.RawMessage `json:"deliverable"`
	BudgetUSD          json.Number     `json:"budget_usd"`
	AmountMinor        json.Number     `json:"amount_minor"`
	Currency           string          `json:"currency"`
	QuoteMinor         json.Number     `json:"quote_amount_minor"`
	QuoteCurrency      string          `json:"quote_currency"`
	AccountID          string          `json:"ai_account_id"`
	ClientRef          string          `json:"client_ref"`
	Version            int64           `json:"version"`
	CreatedAt          string          `json:"created_at"`
	UpdatedAt          string          `json:"updated_at"`
	DeadlineAt         string          `json:"deadline_at"`
	ReviewDeadlineAt   string          `json:"review_deadline_at"`
	ReviewPendingUntil string          `json:"review_pending_deadline_at"`
	ApplicationCount   int             `json:"application_count"`
	NextActions        []string        `json:"next_actions"`
	Quote              *Quote          `json:"quote"`
	Submission         *Submission     `json:"submission"`
}

// Submission is what a person delivered.
type Submission struct {
	ID         string `json:"id"`
	Type       string `json:"type"`
	ContentURL string `json:"content_url"`
	ExpiresAt  string `json:"content_url_expires_at"`
	Text       string `json:"text"`
	SHA256     string `json:"sha256"`
	MIME       string `json:"mime"`
	Bytes      int64  `json:"bytes"`
	CreatedAt  string `json:"created_at"`
	Items      []File `json:"items"`
}

// File is one of several things in a submission.
type File struct {
	ID         string `json:"id"`
	Type       string `json:"type"`
	ContentURL string `json:"content_url"`
	Text       string `json:"text"`
	SHA256     string `json:"sha256"`
	MIME       string `json:"mime"`
	Bytes      int64  `json:"bytes"`
}

// CreateTask posts an open task. An idempotency key makes a second call of the same
// task give the first answer.
func (c *Client) CreateTask(ctx context.Context, who Credentials, t NewTask, key string) (Posted, error) {
	var out Posted
	err := c.do(ctx, call{method: http.MethodPost, pattern: "/api/tasks", body: t, who: who, key: key, replays: key != "", replayed: &out.Replayed}, &out)
	return out, err
}

// Quote asks what a task would cost, and whether it would be taken, without posting it.
// It has a path of its own: a board that does not know dry runs would post the task.
func (c *Client) Quote(ctx context.Context, who Credentials, t NewTask) (Posted, error) {
	var out Posted
	err := c.do(ctx, call{method: http.MethodPost, pattern: "/api/quotes", body: t, who: who, replays: true}, &out)
	return out, err
}

// consentSlack is what a board needs beside the time in which a person may consent.
const consentSlack = 15 * time.Second

// CallHuman posts a task and assigns it to a person who is available now.
func (c *Client) CallHuman(ctx context.Context, who Credentials, t NewTask, key string) (Posted, error) {
	timeout := 25 * time.Second
	if t.ConsentWait != nil {
		timeout = time.Duration(*t.ConsentWait) * time.Second
	}
	var out Posted
	err := c.do(ctx, call{
		method: http.MethodPost, pattern: "/api/call_human", body: t, who: who, key: key, replays: key != "", timeout: timeout + consentSlack,
		replayed: &out.Replayed,
	}, &out)
	return out, err
}

// GetTask reads one task. With the credentials of its owner the answer has what the
// public must not see.
func (c *Client) GetTask(ctx context.Context, who Credentials, id, lang string) (Task, error) {
	q := url.Values{"task_id": {id}}
	setTo(q, "lang", lang)
	var out struct {
		Task *Task `json:"task"`
	}
	r := call{method: http.MethodGet, pattern: "/api/tasks", query: q, who: who}
	if err := c.do(ctx, r, &out); err != nil {
		return Task{}, err
	}
	if out.Task == nil || out.Task.ID == "" {
		return Task{}, &Error{Op: r.op(), Trouble: NotJSON, Status: http.StatusOK}
	}
	c.mend(out.Task)
	return *out.Task, nil
}

// Filter chooses tasks of a list. Zero fields choose all.
type Filter struct {
	Label, Query, Lang, Status, ClientRef, UpdatedSince, Cursor string
	Scope                                                       string // mine or public
	Limit                                                       int
}

// Tasks is one page of a list.
type Tasks struct {
	Tasks      []Task `json:"tasks"`
	NextCursor string `json:"next_cursor"`
}

// ListTasks reads one page of tasks, the newest first. A board without scopes shows
// everybody's: with Scope mine, tasks of other accounts are left out here.
func (c *Client) ListTasks(ctx context.Context, who Credentials, f Filter) (Tasks, error) {
	q := url.Values{}
	for name, v := range map[string]string{
		"task_label": f.Label, "q": f.Query, "lang": f.Lang, "status": f.Status, "client_ref": f.ClientRef,
		"updated_since": f.UpdatedSince, "cursor": f.Cursor, "scope": f.Scope,
	} {
		setTo(q, name, v)
	}
	if f.Limit > 0 {
		q.Set("limit", strconv.Itoa(f.Limit))
	}
	var out Tasks
	if err := c.do(ctx, call{method: http.MethodGet, pattern: "/api/tasks", query: q, who: who}, &out); err != nil {
		return Tasks{}, err
	}
	out.Tasks = slices.DeleteFunc(out.Tasks, func(t Task) bool {
		foreign := f.Scope == "mine" && t.AccountID != "" && t.AccountID != who.AccountID
		return foreign || f.Status != "" && t.Status != f.Status || f.ClientRef != "" && t.ClientRef != f.ClientRef
	})
	for i := range out.Tasks {
		c.mend(&out.Tasks[i])
	}
	return out, nil
}

// mend makes the addresses of files whole.
func (c *Client) mend(t *Task) {
	if t.Submission == nil {
		return
	}
	t.Submission.ContentURL = c.absolute(t.Submission.ContentURL)
	for i := range t.Submission.Items {
		t.Submission.Items[i].ContentURL = c.absolute(t.Submission.Items[i].ContentURL)
	}
}

// setTo sets a parameter that is not empty.
func setTo(q url.Values, name, value string) {
	if value != "" {
		q.Set(name, value)
	}
}
