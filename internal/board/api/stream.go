package api

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

const (
	// maxStream is how long a stream goes on before its client has to connect again,
	// which also asks for its key again.
	maxStream = 5 * time.Minute
	// keepAlive is how often something is sent when nothing happens, so that proxies
	// keep the connection.
	keepAlive = 15 * time.Second
	// maxStreams is how many streams one process holds, and ownStreams how many of them
	// for one account: nobody keeps the others from theirs.
	maxStreams = 500
	ownStreams = 10
)

// streams are those that go on, by account.
type streams struct {
	mu  sync.Mutex
	all int
	of  map[string]int
}

// begin takes a place, and returns what gives it back; nil when there is none.
func (s *streams) begin(agentID string) (end func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == maxStreams || s.of[agentID] == ownStreams {
		return nil
	}
	s.all++
	s.of[agentID]++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.all--
		if s.of[agentID]--; s.of[agentID] == 0 {
			delete(s.of, agentID)
		}
	}
}

func (s *Server) streamRoutes() {
	register(s, Route{
		ID: "stream-events", Method: http.MethodGet, Path: "/api/events/stream", Tag: "events", Who: Agent, Scope: data.ScopeRead,
		Summary: "Events as they happen (text/event-stream); Last-Event-ID goes on where the last stream ended",
	}, s.stream)
}

type streamQuery struct {
	After int64  `query:"after" minimum:"0" doc:"seq of the last event that was read"`
	Last  string `header:"Last-Event-ID" doc:"the same, as browsers send it"`
}

// stream sends the account's events until the client goes, the board stops, or it is
// time to connect again (WHATWG HTML, section 9.2, server-sent events).
func (s *Server) stream(ctx context.Context, in *streamQuery) (*huma.StreamResponse, error) {
	after := in.After
	if in.Last != "" {
		n, err := strconv.ParseInt(in.Last, 10, 64)
		if err != nil || n < 0 {
			return nil, invalid(FieldError{"Last-Event-ID", string(task.InvalidNumber)})
		}
		after = n
	}
	end := s.streams.begin(caller(ctx).AgentID)
	if end == nil {
		return nil, task.Because(task.RateLimited, "The account has as many streams as it may have, or the board as many as it can send.").WithRetryAfter(keepAlive)
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		defer end()
		_, w := humago.Unwrap(hc)
		w.Header().Set("Content-Type", "text/event-stream")
		w.WriteHeader(http.StatusOK)
		sender := &sender{w: w, control: http.NewResponseController(w), who: caller(ctx), after: after}
		defer func() { _ = sender.control.SetWriteDeadline(time.Time{}) }() // the connection may go on
		if err := s.follow(ctx, sender); err != nil && ctx.Err() == nil {
			s.log.ErrorContext(ctx, "a stream of events failed", "error", err)
		}
	}}, nil
}

// sender is one stream.
type sender struct {
	w       io.Writer
	control *http.ResponseController
	who     Principal
	after   int64
}

func (s *Server) follow(ctx context.Context, to *sender) error {
	tick := time.NewTicker(eventPoll)
	defer tick.Stop()
	end, quiet := time.NewTimer(maxStream), time.NewTicker(keepAlive)
	defer end.Stop()
	defer quiet.Stop()
	if err := to.write(": connected\n\n"); err != nil {
		return nil // the client has gone
	}
	for {
		all, err := s.o.Board.Events(ctx, to.who.AgentID, to.after, 100)
		if err != nil {
			return fmt.Errorf("read events: %w", err)
		}
		if len(all) > 0 && !s.still(ctx, to.who) {
			return nil // the client learns why when it connects again
		}
		for _, e := range all {
			raw, err := json.Marshal(event(e))
			if err != nil {
				return fmt.Errorf("write an event: %w", err)
			}
			if to.write(fmt.Sprintf("id: %d\nevent: %s\ndata: %s\n\n", e.Seq, e.Type, raw)) != nil {
				return nil // the client has gone
			}
			to.after = e.Seq
		}
		select {
		case <-ctx.Done():
			return nil
		case <-s.o.Stop:
			return nil
		case <-end.C:
			return nil
		case <-quiet.C:
			if to.write(": \n\n") != nil {
				return nil // the client has gone
			}
		case <-tick.C:
		}
	}
}

// still reports whether the credentials of somebody who waits hold: a key that was revoked
// meanwhile tells nobody anything. A database that fails says nothing about them.
func (s *Server) still(ctx context.Context, who Principal) bool {
	_, err := s.lookup(ctx, who.shown)
	reason := task.ReasonOf(err)
	return reason != task.InvalidCredentials && reason != task.APIAccessDisabled
}

// write sends text at once. A client that takes nothing is given up.
func (s *sender) write(text string) error {
	if err := s.control.SetWriteDeadline(time.Now().Add(keepAlive)); err != nil {
		return err
	}
	if _, err := io.WriteString(s.w, text); err != nil {
		return err
	}
	return s.control.Flush()
}
