package observe_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/observe"
)

const typed = "078-05-1120"

func TestPrivateValuesNeverReachTheLog(t *testing.T) {
	type form struct{ SSN string }
	attrs := map[string]any{
		"a private key":      slog.String("password", typed),
		"another case":       slog.String("Authorization", typed),
		"a group":            slog.Group("call", slog.String("user_data", typed), slog.Any("token", typed)),
		"a secret":           slog.Any("issuer_key", observe.Secret(typed)),
		"a typed value":      slog.Any("field", observe.Value{V: typed}),
		"a structure":        slog.Any("answers", form{typed}),
		"a pointer":          slog.Any("answers", &form{typed}),
		"a map":              slog.Any("answers", map[string]any{"ssn": typed}),
		"a list of any":      slog.Any("answers", []any{typed}),
		"secrets in a group": slog.Group("g", slog.Any("k", observe.Secret(typed))),
	}
	for name, attr := range attrs {
		for _, format := range []string{"json", "text"} {
			t.Run(name+" as "+format, func(t *testing.T) {
				var out bytes.Buffer
				log, err := observe.New(&out, observe.Options{Format: format})
				if err != nil {
					t.Fatal(err)
				}
				log.Info("line", attr)
				log.With(attr).Info("line")
				log.WithGroup("outer").Info("line", attr)
				if strings.Contains(out.String(), typed) {
					t.Errorf("the value is in the log:\n%s", out.String())
				}
				if n := strings.Count(out.String(), "line"); n != 3 {
					t.Errorf("%d lines, want 3:\n%s", n, out.String())
				}
			})
		}
	}
}

func TestHarmlessValuesStay(t *testing.T) {
	var out bytes.Buffer
	log, err := observe.New(&out, observe.Options{Format: "json", Level: "debug"})
	if err != nil {
		t.Fatal(err)
	}
	ctx := observe.WithTraceID(observe.WithRequestID(context.Background(), "r-1"), "4bf92f3577b34da6")
	log.DebugContext(ctx, "kept", "tool", "x", "ms", 12, "err", errors.New("refused"), "list", []string{"a", "b"})
	for _, want := range []string{`"tool":"x"`, `"ms":12`, `"err":"refused"`, `"list":["a","b"]`, `"request_id":"r-1"`, `"trace_id":"4bf92f3577b34da6"`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s is missing in %s", want, out.String())
		}
	}
}

func TestPrivateTypesMaskThemselves(t *testing.T) {
	secret, value := observe.Secret(typed), observe.Value{V: typed}
	raw, err := json.Marshal(map[string]any{"s": secret, "v": value})
	if err != nil {
		t.Fatal(err)
	}
	all := []string{string(raw)}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		all = append(all, fmt.Sprintf(verb, secret), fmt.Sprintf(verb, value), fmt.Sprintf(verb, []any{secret, value}))
	}
	for _, s := range all {
		if strings.Contains(s, typed) || strings.Contains(s, fmt.Sprintf("%x", typed)) {
			t.Errorf("not masked: %s", s)
		}
	}
	if secret.Reveal() != typed {
		t.Error("the secret is lost")
	}
	if observe.Secret("").String() != "" {
		t.Error("an empty secret looks set")
	}
}

func TestUnknownOptionsAreRefused(t *testing.T) {
	for _, o := range []observe.Options{{Level: "loud"}, {Format: "xml"}} {
		if _, err := observe.New(&bytes.Buffer{}, o); fault.From(err).Kind != fault.Invalid {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

func TestRequestIDsDiffer(t *testing.T) {
	if a, b := observe.NewRequestID(), observe.NewRequestID(); a == b || len(a) != 16 {
		t.Errorf("ids %q and %q", a, b)
	}
}
