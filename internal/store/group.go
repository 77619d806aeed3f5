package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// A commit of SQLite waits for the disk, which takes far longer than what was written.
// Callers that meanwhile want to write wait, and then share one transaction and its one
// wait: each runs between savepoints, in its own goroutine, one after the other, and
// nobody returns before the commit.

const maxMembers = 32 // of one transaction, so that the first does not wait long for the last

// errBroken tells a member that the shared transaction is gone for the fault of another.
var errBroken = errors.New("the shared transaction is gone")

// group has the callers that write to one SQLite file take turns.
type group struct {
	mu      sync.Mutex
	led     bool // somebody leads
	waiting []*member
}

// member is a caller that waits. It gets a transaction to take its turn in, or nil: then
// it leads the next one.
type member struct{ turn chan *shared }

// shared is the transaction of a group.
type shared struct {
	tx      *sql.Tx
	members []*member     // without the leader
	back    chan struct{} // a member's turn is over
	kept    int           // members whose work stays
	broken  bool
	over    chan struct{} // closed after the end
	failed  error         // of the end; read it after over
}

// run is one attempt of a transaction of one caller.
func (g *group) run(ctx context.Context, db *DB, f func(context.Context, Tx) error) error {
	s, err := g.enter(ctx)
	if err != nil {
		return db.url.unavailable(ctx, err)
	}
	if s == nil {
		err = g.lead(ctx, db, f)
	} else {
		err = s.follow(ctx, db, f)
	}
	if errors.Is(err, errBroken) {
		return db.alone(ctx, db.write, sql.TxOptions{}, f)
	}
	return err
}

// enter waits for a transaction to share; nil when the caller leads one.
func (g *group) enter(ctx context.Context) (*shared, error) {
	g.mu.Lock()
	if !g.led {
		g.led = true
		g.mu.Unlock()
		return nil, nil
	}
	m := &member{turn: make(chan *shared, 1)}
	g.waiting = append(g.waiting, m)
	g.mu.Unlock()
	select {
	case s := <-m.turn:
		return s, nil
	case <-ctx.Done():
	}
	g.mu.Lock()
	at := slices.Index(g.waiting, m)
	if at >= 0 {
		g.waiting = slices.Delete(g.waiting, at, at+1)
	}
	g.mu.Unlock()
	if at >= 0 {
		return nil, fmt.Errorf("wait to write: %w", ctx.Err())
	}
	return <-m.turn, nil // somebody counts on it already
}

// lead begins a transaction, takes the first turn, has the others take theirs, and ends
// it. All but the first turn also happens when f panics.
func (g *group) lead(ctx context.Context, db *DB, f func(context.Context, Tx) error) (err error) {
	tx, end, err := db.begin(ctx)
	if err != nil {
		g.handOver()
		return db.url.unavailable(ctx, fmt.Errorf("begin a transaction: %w", err))
	}
	defer end()
	s := &shared{tx: tx, members: g.take(), back: make(chan struct{}), over: make(chan struct{})}
	defer func() {
		for _, m := range s.members {
			m.turn <- s
			<-s.back
		}
		s.end()
		g.handOver()
		if err == nil {
			err = s.result(ctx, db)
		}
	}()
	return s.turn(ctx, db, f)
}

// begin begins a transaction that outlives ctx, which ends the wait for it only.
func (db *DB) begin(ctx context.Context) (*sql.Tx, context.CancelFunc, error) {
	own, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, cancel)
	tx, err := db.write.BeginTx(own, nil)
	if !stop() && err == nil {
		err = errors.Join(ctx.Err(), tx.Rollback())
	}
	if err != nil {
		cancel()
		return nil, nil, err
	}
	return tx, cancel, nil
}

// take takes the callers that wait, the first ones first.
func (g *group) take() []*member {
	g.mu.Lock()
	defer g.mu.Unlock()
	n := min(len(g.waiting), maxMembers-1)
	taken := slices.Clone(g.waiting[:n])
	g.waiting = slices.Delete(g.waiting, 0, n)
	return taken
}

// handOver has the first who waits lead.
func (g *group) handOver() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.waiting) == 0 {
		g.led = false
		return
	}
	g.waiting[0].turn <- nil
	g.waiting = slices.Delete(g.waiting, 0, 1)
}

// follow takes a turn that the leader gave, and waits for the end. A failure waits too:
// it may be for what another member wrote, which is there for others after the commit
// only, and was never there when that fails.
func (s *shared) follow(ctx context.Context, db *DB, f func(context.Context, Tx) error) error {
	err := func() error {
		defer func() { s.back <- struct{}{} }()
		return s.turn(ctx, db, f)
	}()
	<-s.over
	switch {
	case err == nil:
		return s.result(ctx, db)
	case s.failed != nil:
		return errBroken
	}
	return err
}

// turn runs f so that nothing of it stays unless it returns nil and its context is not
// over. What it does is not interrupted: SQLite would undo what the others did.
func (s *shared) turn(ctx context.Context, db *DB, f func(context.Context, Tx) error) (err error) {
	if ctx.Err() != nil {
		return fmt.Errorf("use the database: %w", ctx.Err())
	}
	ours := context.WithValue(context.WithoutCancel(ctx), insideKey{db.write}, true)
	if s.mark(ours, "SAVEPOINT member"); s.broken {
		return errBroken
	}
	keep := false
	defer func() { // also when f panics
		if !keep {
			s.mark(ours, "ROLLBACK TO member")
		}
		if s.mark(ours, "RELEASE member"); s.broken && keep {
			err = errBroken
		} else if keep {
			s.kept++
		}
	}()
	now, err := db.now(ours, s.tx)
	if err != nil {
		return err
	}
	if err := f(ours, Tx{s.tx, now}); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return fmt.Errorf("use the database: %w", ctx.Err())
	}
	keep = true
	return nil
}

// mark sets or ends a savepoint; one alone needs none. An error of it says that SQLite
// has undone everything, as it does when the disk is full.
func (s *shared) mark(ctx context.Context, text string) {
	if s.broken || len(s.members) == 0 {
		return
	}
	if _, err := s.tx.ExecContext(ctx, text); err != nil {
		s.broken = true
	}
}

// end commits what is to stay.
func (s *shared) end() {
	defer close(s.over)
	if s.broken {
		_ = s.tx.Rollback() // it is undone already
		s.failed = errBroken
		return
	}
	if s.kept == 0 {
		_ = s.tx.Rollback() // nothing is there
		return
	}
	s.failed = s.tx.Commit()
}

// result is how the end looks to a member whose work was to stay.
func (s *shared) result(ctx context.Context, db *DB) error {
	if s.failed == nil || errors.Is(s.failed, errBroken) {
		return s.failed
	}
	return db.url.unavailable(ctx, fmt.Errorf("commit: %w", s.failed))
}
