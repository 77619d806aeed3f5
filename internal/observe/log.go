package observe

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"reflect"
	"strings"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// Options choose how the log looks.
type Options struct {
	Level  string // debug, info, warn, error; "" is info
	Format string // json or text; "" is text
}

// New returns a logger that writes to w, which should be stderr, and redacts.
func New(w io.Writer, o Options) (*slog.Logger, error) {
	var level slog.Level
	if o.Level != "" {
		if err := level.UnmarshalText([]byte(o.Level)); err != nil {
			return nil, fault.New(fault.Invalid, "invalid_setting", fmt.Sprintf("The log level %q is not known.", o.Level),
				"Use debug, info, warn or error.")
		}
	}
	opts := &slog.HandlerOptions{Level: level}
	switch o.Format {
	case "json":
		return slog.New(Redact(slog.NewJSONHandler(w, opts))), nil
	case "text", "":
		return slog.New(Redact(slog.NewTextHandler(w, opts))), nil
	}
	return nil, fault.New(fault.Invalid, "invalid_setting", fmt.Sprintf("The log format %q is not known.", o.Format),
		"Use text or json.")
}

// Mask is what a private value looks like.
const Mask = "***"

// private are the attribute keys whose values never reach the log.
var private = map[string]bool{
	"user_data": true, "userdata": true, "data": true, "value": true, "values": true, "arguments": true, "body": true,
	"token": true, "access_token": true, "refresh_token": true, "authorization": true,
	"cookie": true, "set-cookie": true, "password": true, "passphrase": true, "secret": true, "client_secret": true,
	"api_key": true, "apikey": true,
}

// Redact wraps a handler so that private attributes are masked and structures,
// whose insides no key names, are replaced by their type.
func Redact(next slog.Handler) slog.Handler { return redactor{next} }

type redactor struct{ next slog.Handler }

// Enabled asks the wrapped handler.
func (r redactor) Enabled(ctx context.Context, l slog.Level) bool { return r.next.Enabled(ctx, l) }

// Handle passes a redacted copy of the record on.
func (r redactor) Handle(ctx context.Context, rec slog.Record) error {
	out := slog.NewRecord(rec.Time, rec.Level, rec.Message, rec.PC)
	rec.Attrs(func(a slog.Attr) bool {
		out.AddAttrs(redact(a))
		return true
	})
	if id := RequestID(ctx); id != "" {
		out.AddAttrs(slog.String("request_id", id))
	}
	if id := TraceID(ctx); id != "" {
		out.AddAttrs(slog.String("trace_id", id))
	}
	return r.next.Handle(ctx, out)
}

// WithAttrs redacts the fixed attributes of a logger as well.
func (r redactor) WithAttrs(attrs []slog.Attr) slog.Handler {
	out := make([]slog.Attr, 0, len(attrs))
	for _, a := range attrs {
		out = append(out, redact(a))
	}
	return redactor{r.next.WithAttrs(out)}
}

// WithGroup opens a group.
func (r redactor) WithGroup(name string) slog.Handler { return redactor{r.next.WithGroup(name)} }

func redact(a slog.Attr) slog.Attr {
	if private[strings.ToLower(a.Key)] {
		return slog.String(a.Key, Mask)
	}
	v := a.Value.Resolve()
	switch v.Kind() {
	case slog.KindGroup:
		group := v.Group()
		out := make([]slog.Attr, 0, len(group))
		for _, g := range group {
			out = append(out, redact(g))
		}
		return slog.Attr{Key: a.Key, Value: slog.GroupValue(out...)}
	case slog.KindAny:
		return slog.Attr{Key: a.Key, Value: plain(v)}
	}
	return slog.Attr{Key: a.Key, Value: v}
}

// plain lets errors, strings and lists of simple values through.
func plain(v slog.Value) slog.Value {
	if err, ok := v.Any().(error); ok && err != nil {
		return slog.StringValue(err.Error())
	}
	t := reflect.TypeOf(v.Any())
	if t == nil {
		return v
	}
	if t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.String, reflect.Bool, reflect.Int, reflect.Int64, reflect.Float64:
		return v
	}
	return slog.StringValue(fmt.Sprintf("%T", v.Any()))
}
