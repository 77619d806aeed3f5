package api

import (
	"net/http"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/board/task"
)

// Reason is one word that answers can have as their reason.
type Reason struct {
	Name   string
	Status int    // of the HTTP answer
	Doc    string // when it happens
}

// The reasons of this layer, which no command gives.
const (
	bodyTooLarge      = "body_too_large"
	unsupportedMedia  = "unsupported_media_type"
	methodNotAllowed  = "method_not_allowed"
	crossOrigin       = "cross_origin"
	limitsUnavailable = "limits_unavailable"
	unavailable       = "database_unavailable"
	tooManyUploads    = "too_many_uploads"
	uploadConflict    = "upload_conflict"
	storageFull       = "storage_full"
	tooManyWebhooks   = "too_many_webhooks"
)

var ownReasons = []Reason{
	{bodyTooLarge, http.StatusRequestEntityTooLarge, "The body has more bytes than are taken."},
	{unsupportedMedia, http.StatusUnsupportedMediaType, "The body is not declared as application/json."},
	{methodNotAllowed, http.StatusMethodNotAllowed, "The path exists, but not with this method; the header Allow names those that do."},
	{crossOrigin, http.StatusForbidden, "A page of another origin may not do this with a person's session."},
	{limitsUnavailable, http.StatusServiceUnavailable, "Calls cannot be counted at the moment."},
	{tooManyUploads, http.StatusTooManyRequests, "There are as many unfinished uploads as one may have."},
	{uploadConflict, http.StatusConflict, "The part of the upload does not begin where the last one ended."},
	{storageFull, http.StatusServiceUnavailable, "There is no room for files at the moment; what arrived is kept for a day."},
	{tooManyWebhooks, http.StatusTooManyRequests, "There are as many webhooks as an account may have."},
	{unavailable, http.StatusServiceUnavailable, "The database does not answer at the moment."},
}

// Reasons are all the reasons that this API answers with, sorted by name: those of
// internal/board/task and those of this layer.
func Reasons() []Reason {
	out := slices.Clone(ownReasons)
	for _, r := range task.Reasons() {
		out = append(out, Reason{string(r), statusOf(string(r)), r.Message()})
	}
	slices.SortFunc(out, func(a, b Reason) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// statusOf is the HTTP status of a reason. That nobody took a task at once is an
// outcome, not a failure: the task was posted, and the product that the specification
// describes answers 200.
func statusOf(reason string) int {
	if reason == string(task.NoSupply) {
		return http.StatusOK
	}
	for _, r := range ownReasons {
		if r.Name == reason {
			return r.Status
		}
	}
	return task.Reason(reason).Status()
}

// known reports whether the reason is in the table.
func known(reason string) bool {
	return slices.ContainsFunc(Reasons(), func(r Reason) bool { return r.Name == reason })
}
