package fault_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
)

func TestFrom(t *testing.T) {
	known := fault.New(fault.NotFound, "wizard_not_found", "No wizard x.", "List them.")
	tests := []struct {
		name string
		err  error
		kind fault.Kind
		typ  string
	}{
		{"a fault", known, fault.NotFound, "wizard_not_found"},
		{"a wrapped fault", fmt.Errorf("load: %w", known), fault.NotFound, "wizard_not_found"},
		{"deadline", fmt.Errorf("read: %w", context.DeadlineExceeded), fault.Timeout, "timeout"},
		{"cancelled", context.Canceled, fault.Cancelled, "cancelled"},
		{"unknown", errors.New("pq: password=hunter2"), fault.Internal, "internal_error"},
		{"kind as type", fault.New(fault.Denied, "", "m", "a"), fault.Denied, "denied"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := fault.From(tt.err)
			if f.Kind != tt.kind || f.Type != tt.typ {
				t.Errorf("From = %s/%s, want %s/%s", f.Kind, f.Type, tt.kind, tt.typ)
			}
			if f.Message == "" || f.Action == "" {
				t.Errorf("fault without words: %+v", f)
			}
		})
	}
	if fault.From(nil) != nil {
		t.Error("From(nil) is not nil")
	}
}

func TestUnknownErrorIsHidden(t *testing.T) {
	secret := errors.New("dial postgres://u:hunter2@db")
	f := fault.From(secret)
	if strings.Contains(f.Error()+f.Action, "hunter2") {
		t.Errorf("the text of an unknown error is shown: %v", f)
	}
	if !errors.Is(f, secret) {
		t.Error("the cause is lost for the log")
	}
	id, _ := f.Data["error_id"].(string)
	if id == "" || !strings.Contains(f.Message, id) {
		t.Errorf("message %q does not carry the id %q", f.Message, id)
	}
	if id == fault.From(secret).Data["error_id"] {
		t.Error("two faults share an id")
	}
}

func TestCopiesDoNotShareState(t *testing.T) {
	base := fault.New(fault.Limited, "busy", "Busy.", "Wait.")
	more := base.WithData("queue", 3).WithCause(errors.New("x")).WithRetryAfter(time.Second)
	if base.Data != nil || base.Cause != nil || base.RetryAfter != 0 {
		t.Errorf("base changed: %+v", base)
	}
	if more.Data["queue"] != 3 || more.Cause == nil || more.RetryAfter != time.Second {
		t.Errorf("copy incomplete: %+v", more)
	}
}

func TestEveryKindHasBothCodes(t *testing.T) {
	tests := map[fault.Kind][2]int{
		fault.Invalid: {2, 400}, fault.NotFound: {3, 404}, fault.Conflict: {1, 409},
		fault.Denied: {5, 403}, fault.Limited: {4, 429}, fault.Expired: {3, 410},
		fault.Unavailable: {4, 503}, fault.Unsupported: {2, 501}, fault.Timeout: {6, 504},
		fault.Cancelled: {6, 499}, fault.Failed: {1, 422}, fault.Internal: {70, 500},
	}
	for kind, want := range tests {
		err := fmt.Errorf("wrap: %w", fault.New(kind, "", "m", "a"))
		if got := [2]int{fault.ExitCode(err), fault.HTTPStatus(err)}; got != want {
			t.Errorf("%s: exit and status %v, want %v", kind, got, want)
		}
	}
	if kinds := fault.Kinds(); len(kinds) != len(tests) || kinds[0] != fault.Cancelled {
		t.Errorf("the kinds are %v", kinds)
	}
	if fault.ExitCode(nil) != 0 || fault.HTTPStatus(nil) != http.StatusOK {
		t.Error("nil is not success")
	}
	if fault.ExitCode(fault.New("odd", "", "", "")) != fault.ExitInternal {
		t.Error("an unknown kind is not a defect")
	}
}
