package store

import (
	"container/list"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"

	"modernc.org/sqlite"
)

const (
	maxStatements = 256     // kept by one connection
	maxStatement  = 8 << 10 // bytes of the text of one that is kept
)

// The driver of SQLite compiles the text of every call, which costs more than most of
// the statements themselves. What follows stands between it and database/sql: a
// connection keeps what it compiled. The driver of Postgres has its own.

// The parts of the driver that are used, all of which it has.
type (
	liteConn interface {
		driver.ConnBeginTx
		driver.ConnPrepareContext
		liteCalls
		liteHealth
	}
	liteCalls interface {
		driver.Conn
		driver.ExecerContext
		driver.QueryerContext
	}
	liteHealth interface {
		driver.Pinger
		driver.SessionResetter
		driver.Validator
	}
	liteStatement interface {
		driver.Stmt
		driver.StmtExecContext
		driver.StmtQueryContext
	}
	liteRows interface {
		driver.RowsColumnTypeScanType
		driver.RowsColumnTypeDatabaseTypeName
		driver.RowsColumnTypeNullable
	}
)

// openLite is a pool of connections to a SQLite file that keep their statements.
func openLite(dsn string) (*sql.DB, error) {
	c, err := sqlite.NewConnector(dsn)
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(keeping{c}), nil
}

// keeping makes connections that keep their statements.
type keeping struct{ driver.Connector }

// Connect implements driver.Connector.
func (k keeping) Connect(ctx context.Context) (driver.Conn, error) {
	c, err := k.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	lite, ok := c.(liteConn)
	if !ok {
		return nil, errors.Join(fmt.Errorf("open a database: %T lacks what a connection needs", c), c.Close())
	}
	return &keepingConn{liteConn: lite, kept: statements{idle: map[string]*list.Element{}}}, nil
}

// keepingConn is a connection with the statements that it compiled. As all of a
// driver, database/sql lets one goroutine use it at a time, its rows among it.
type keepingConn struct {
	liteConn
	kept statements
}

// ExecContext implements driver.ExecerContext.
func (c *keepingConn) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	if !keepable(text) {
		return c.liteConn.ExecContext(ctx, text, args)
	}
	s, err := c.statement(ctx, text)
	if err != nil {
		return nil, err
	}
	r, err := s.ExecContext(ctx, args)
	return r, c.kept.put(text, s, err)
}

// QueryContext implements driver.QueryerContext.
func (c *keepingConn) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	if !keepable(text) {
		return c.liteConn.QueryContext(ctx, text, args)
	}
	s, err := c.statement(ctx, text)
	if err != nil {
		return nil, err
	}
	r, err := s.QueryContext(ctx, args)
	if err != nil {
		return nil, c.kept.put(text, s, err)
	}
	rows, ok := r.(liteRows)
	if !ok {
		return nil, c.kept.put(text, s, errors.Join(fmt.Errorf("query: %T lacks what rows need", r), r.Close()))
	}
	return &keepingRows{liteRows: rows, kept: &c.kept, text: text, statement: s}, nil
}

// Close implements driver.Conn. Statements go before their connection.
func (c *keepingConn) Close() error { return errors.Join(c.kept.close(), c.liteConn.Close()) }

// statement is one for a text that nobody uses: a kept one or a new one.
func (c *keepingConn) statement(ctx context.Context, text string) (liteStatement, error) {
	if s := c.kept.take(text); s != nil {
		return s, nil
	}
	s, err := c.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	lite, ok := s.(liteStatement)
	if !ok {
		return nil, errors.Join(fmt.Errorf("prepare: %T lacks what a statement needs", s), s.Close())
	}
	return lite, nil
}

// keepingRows use a statement until they are closed.
type keepingRows struct {
	liteRows
	kept      *statements
	text      string
	statement liteStatement
}

// Close implements driver.Rows. It is called once, but a second call would hand one
// statement to two.
func (r *keepingRows) Close() error {
	if r.statement == nil {
		return nil
	}
	s := r.statement
	r.statement = nil
	return r.kept.put(r.text, s, r.liteRows.Close())
}

// statements are those of a connection that nobody uses at the moment, by their text.
// One in use is not among them, so that no two uses share one.
type statements struct {
	idle   map[string]*list.Element
	order  list.List // the last used one first
	closed bool
}

// idleStatement is an element of the order.
type idleStatement struct {
	text      string
	statement liteStatement
}

// take takes a statement out; nil when there is none.
func (k *statements) take(text string) liteStatement {
	e := k.idle[text]
	if e == nil {
		return nil
	}
	delete(k.idle, text)
	return k.order.Remove(e).(idleStatement).statement
}

// put keeps a statement after its use and returns how the use ended. One whose use
// failed is not trusted again, and of one text one is enough.
func (k *statements) put(text string, s liteStatement, used error) error {
	if used != nil {
		_ = s.Close() // says the same again
		return used
	}
	if k.closed || k.idle[text] != nil {
		return s.Close()
	}
	k.idle[text] = k.order.PushFront(idleStatement{text, s})
	if k.order.Len() <= maxStatements {
		return nil
	}
	return k.take(k.order.Back().Value.(idleStatement).text).Close()
}

// close closes what is kept, and what is put from now on.
func (k *statements) close() error {
	k.closed = true
	var failed []error
	for text := range k.idle {
		failed = append(failed, k.take(text).Close())
	}
	return errors.Join(failed...)
}

// keepable reports whether a text may be compiled once and run often. SQLite runs some
// PRAGMAs while it compiles them, and nothing else of those that are not here runs often.
func keepable(text string) bool {
	if len(text) > maxStatement {
		return false
	}
	for {
		text = strings.TrimLeft(text, " \t\r\n")
		if !strings.HasPrefix(text, "--") { // the name of a statement, as generators write it
			break
		}
		_, text, _ = strings.Cut(text, "\n")
	}
	for _, verb := range []string{"SELECT", "INSERT", "UPDATE", "DELETE", "WITH", "SAVEPOINT", "RELEASE", "ROLLBACK TO"} {
		if len(text) > len(verb) && strings.EqualFold(text[:len(verb)], verb) {
			return true
		}
	}
	return false
}
