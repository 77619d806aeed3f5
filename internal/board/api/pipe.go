package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/task"
	"github.com/legwork-mcp/legwork/internal/ratelimit"
)

// maxBody is the most bytes of a JSON body: every field has a bound far below it.
const maxBody = 256 << 10

// pipe is what every request of a route goes through before its handler.
func (s *Server) pipe(r Route, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		body, err := s.bodyOf(r, w, req)
		if err != nil {
			s.answer(w, req, r, err)
			return
		}
		who, err := s.admit(req, r, body)
		if err != nil {
			s.answer(w, req, r, err)
			return
		}
		if err := checkQuery(req, r); err != nil {
			s.answer(w, req, r, err)
			return
		}
		ctx := context.WithValue(req.Context(), principalKey{}, who)
		address := s.addressOf(req)
		req = req.WithContext(data.WithSource(context.WithValue(ctx, addressKey{}, address), address))
		if body == nil && r.Form && req.Method == http.MethodPost {
			if body, err = s.formBody(req, who); err != nil {
				s.answer(w, req, r, err)
				return
			}
		}
		if r.Keyed {
			again, err := retryOf(w, req, r, body)
			if err != nil {
				s.answer(w, req, r, err)
				return
			}
			req = req.WithContext(context.WithValue(req.Context(), retryKey{}, again))
		}
		next.ServeHTTP(&mended{ResponseWriter: w}, req)
	})
}

func (s *Server) answer(w http.ResponseWriter, req *http.Request, r Route, err error) {
	var p *Problem
	if errors.As(s.refuse(req.Context(), r, err), &p) {
		p.write(w)
	}
}

// filesTime is how long a form with files may take to arrive.
const filesTime = 10 * time.Minute

// bodyOf reads the whole body of a JSON route and puts it back. Other bodies are the
// handler's to read.
func (s *Server) bodyOf(r Route, w http.ResponseWriter, req *http.Request) ([]byte, error) {
	if req.Method == http.MethodGet || req.Method == http.MethodHead || req.Method == http.MethodDelete {
		return nil, nil // a body means nothing there, and the server itself gets rid of it
	}
	kind, _, _ := mime.ParseMediaType(req.Header.Get("Content-Type")) // what cannot be read is not JSON
	control := http.NewResponseController(w)
	if r.Form && kind == "multipart/form-data" {
		_ = control.SetReadDeadline(time.Now().Add(filesTime)) // not every server can
		return nil, nil
	}
	_ = control.SetReadDeadline(time.Now().Add(s.o.BodyTime)) // not every server can
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, maxBody))
	if err == nil {
		_ = control.SetReadDeadline(time.Time{}) // the answer may take longer
	}
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, problem(bodyTooLarge, "The body is larger than is taken.", "Send at most 256 kB; files have routes of their own.")
	case err != nil:
		return nil, problem("invalid_request", "The body did not arrive whole.", "Send the request again.")
	case len(bytes.TrimSpace(body)) == 0:
		body = []byte("{}")
		req.Header.Set("Content-Type", jsonType)
	case kind != jsonType:
		return nil, problem(unsupportedMedia, "The body is not declared as JSON.", "Send the header Content-Type: application/json.")
	}
	req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return body, nil
}

// formBody keeps the files of a form and gives the handler the JSON body that says the
// same. What it returns is the same for the same form again, whose files are kept under
// new names then.
func (s *Server) formBody(req *http.Request, who Principal) ([]byte, error) {
	b, err := s.form(req, who)
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(b)
	if err != nil {
		return nil, fmt.Errorf("write the body of a form: %w", err)
	}
	req.Header.Set("Content-Type", jsonType)
	req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	same, err := json.Marshal([]any{b.TaskID, b.Type, b.Text, b.digests})
	if err != nil {
		return nil, fmt.Errorf("write what a form says: %w", err)
	}
	return same, nil
}

type addressKey struct{}

// addressFrom is whom a request is counted as while its caller does not matter.
func addressFrom(ctx context.Context) string {
	a, _ := ctx.Value(addressKey{}).(string)
	return a
}

// admit finds out who calls, counts the call, and refuses callers whom the route does
// not serve. Calls without credentials are counted by address, before anything is looked
// up, so that keys cannot be guessed at leisure.
func (s *Server) admit(req *http.Request, r Route, body []byte) (Principal, error) {
	shown := credentialsOf(req, body)
	if shown.cookie && req.Method != http.MethodGet {
		if err := s.origins.Check(req); err != nil {
			return Principal{}, problem(crossOrigin, "A page of another site may not do this.", "Open the board itself and try there.")
		}
	}
	address := s.addressOf(req)
	who, err := s.identify(req.Context(), shown, address)
	if err != nil {
		return Principal{}, err
	}
	if err := s.count(req.Context(), who, address); err != nil {
		return Principal{}, err
	}
	who.shown = shown
	return who, allow(who, r)
}

// allow decides what the kind of caller and the scopes of a key decide.
func allow(who Principal, r Route) error {
	switch {
	case who.Kind&r.Who == 0 && who.Kind == Anonymous:
		return task.Refuse(task.MissingCredentials)
	case who.Kind&r.Who == 0:
		return task.Because(task.Forbidden, "This route is for "+r.Who.String()+".")
	case r.Scope != "" && who.Kind == Agent && !who.has(r.Scope), r.HumanScope != "" && who.Kind == Human && !who.has(r.HumanScope):
		return task.Refuse(task.ForbiddenScope)
	case r.Session && !who.session && who.Kind != Anonymous && who.Kind != Agent:
		return task.Because(task.ForbiddenScope, "This needs a session; a key is not enough.")
	}
	return nil
}

// addressOf is whom calls without credentials are counted as. Only a proxy that the
// board was told of may say that it is somebody else.
func (s *Server) addressOf(req *http.Request) string {
	if s.o.ClientAddress != nil {
		if a := s.o.ClientAddress(req); a != "" {
			return a
		}
	}
	host, _, err := net.SplitHostPort(req.RemoteAddr)
	if err != nil {
		return "unknown"
	}
	return host
}

// Limits are how often callers may call. A zero limit is none.
type Limits struct {
	Source  ratelimit.Source
	Address ratelimit.Limit // everything without credentials from one address
	Guess   ratelimit.Limit // wrong credentials from one address
	Key     ratelimit.Limit // everything with one key or session
	Connect ratelimit.Limit // new accounts and mail codes from one address
	Mail    ratelimit.Limit // mails to one mailbox that one address asks for
}

// DefaultLimits are generous for honest callers. The product that the specification
// describes has 60 calls a minute for a key, in which an agent with a handful of tasks
// cannot watch them.
func DefaultLimits(source ratelimit.Source) Limits {
	return Limits{
		Source:  source,
		Address: ratelimit.Limit{Calls: 120, Per: time.Minute, Burst: 240},
		Guess:   ratelimit.Limit{Calls: 10, Per: time.Minute, Burst: 30},
		Key:     ratelimit.Limit{Calls: 600, Per: time.Minute},
		Connect: ratelimit.Limit{Calls: 20, Per: time.Hour, Burst: 20},
		Mail:    ratelimit.Limit{Calls: 5, Per: time.Hour, Burst: 5},
	}
}

func (s *Server) count(ctx context.Context, who Principal, address string) error {
	if who.Kind == Anonymous {
		return s.take(ctx, "board|address|"+address, s.o.Limits.Address)
	}
	return s.take(ctx, "board|"+who.countedAs(), s.o.Limits.Key)
}

// takeMail counts a mail that the caller's address asks for. Strangers at other addresses
// do not count: they could keep the owner of the mailbox out.
func (s *Server) takeMail(ctx context.Context, email string) error {
	return s.take(ctx, "board|mail|"+strings.ToLower(email)+"|"+addressFrom(ctx), s.o.Limits.Mail)
}

// take counts one call. When nobody can count, nothing is let through: a board without
// limits is one that can be filled.
func (s *Server) take(ctx context.Context, key string, l ratelimit.Limit) error {
	if l == (ratelimit.Limit{}) || s.o.Limits.Source == nil {
		return nil
	}
	d, err := s.o.Limits.Source.Take(ctx, key, l, 1)
	if err != nil {
		p := problem(limitsUnavailable, "Calls cannot be counted at the moment.", "Try again in a moment.").withRetry(5 * time.Second)
		p.cause = err
		return p
	}
	if d.Allowed {
		return nil
	}
	return task.Refuse(task.RateLimited).WithRetryAfter(max(d.RetryAfter, time.Second))
}
