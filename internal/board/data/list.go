package data

import (
	"context"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"github.com/legwork-mcp/legwork/internal/store"

	"github.com/legwork-mcp/legwork/internal/board/task"
)

// The bounds of a page.
const (
	defaultLimit = 20
	maxLimit     = 100
)

// limit is how many rows the page has.
func (p Page) limit() int {
	if p.Limit <= 0 {
		return defaultLimit
	}
	return min(p.Limit, maxLimit)
}

// place is where a page starts: after the row with this time and id.
type place struct {
	ms int64
	id string
}

// start reads the cursor; false without one.
func (p Page) start() (place, bool, error) {
	if p.Cursor == "" {
		return place{}, false, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(p.Cursor)
	ms, id, found := strings.Cut(string(raw), "/")
	n, bad := strconv.ParseInt(ms, 10, 64)
	if err != nil || bad != nil || !found || len(id) > 100 {
		var wrong task.Fields
		wrong.Add("cursor", task.InvalidFormat)
		return place{}, false, wrong.Err()
	}
	return place{n, id}, true, nil
}

func (p place) cursor() string {
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(p.ms, 10) + "/" + p.id))
}

// selection is a SELECT that grows: conditions with their values, in order.
type selection struct {
	sql  strings.Builder
	args []any
	next string // WHERE, then AND
	// table stands before the columns of the order, when there are several tables.
	table string
}

func selectFrom(columns, table string) *selection {
	s := &selection{next: " WHERE "}
	s.sql.WriteString("SELECT " + columns + " FROM " + table)
	return s
}

// where adds a condition; each ? in it is one of the values.
func (s *selection) where(condition string, values ...any) {
	s.sql.WriteString(s.next)
	s.next = " AND "
	parts := strings.Split(condition, "?")
	for i, part := range parts {
		s.sql.WriteString(part)
		if i < len(parts)-1 {
			s.args = append(s.args, values[i])
			fmt.Fprintf(&s.sql, "$%d", len(s.args))
		}
	}
}

// anyOf adds a condition that a column has one of the values.
func anyOf[T ~string](s *selection, column string, values []T) {
	args := make([]any, len(values))
	for i, v := range values {
		args[i] = v
	}
	s.where(column+" IN (?"+strings.Repeat(", ?", len(values)-1)+")", args...)
}

// keyset is how a list is ordered and paged: by a time column and the id.
type keyset[T any] struct {
	column string
	oldest bool // first
	at     func(T) place
	scan   func(row) (T, error)
	page   Page
}

// page adds order and bounds, runs the selection and returns the rows of the page
// with the cursor of the next.
func page[T any](ctx context.Context, b *Board, s *selection, k keyset[T]) ([]T, string, error) {
	from, some, err := k.page.start()
	if err != nil {
		return nil, "", err
	}
	compare, order := "<", " DESC"
	if k.oldest {
		compare, order = ">", ""
	}
	if some {
		s.where("("+s.table+k.column+", "+s.table+"id) "+compare+" (?, ?)", from.ms, from.id)
	}
	limit := k.page.limit()
	fmt.Fprintf(&s.sql, " ORDER BY %s%s, %sid%s LIMIT %d", s.table+k.column, order, s.table, order, limit+1)
	all, err := list(ctx, b, k.scan, query{s.sql.String(), s.args})
	if err != nil || len(all) <= limit {
		return all, "", err
	}
	return all[:limit], k.at(all[limit-1]).cursor(), nil
}

// query is a statement with its values.
type query struct {
	sql  string
	args []any
}

// q is a query with values.
func q(sql string, args ...any) query { return query{sql, args} }

// list reads all rows of a query.
func list[T any](ctx context.Context, b *Board, scan func(row) (T, error), q query) ([]T, error) {
	return read(ctx, b, func(ctx context.Context, tx store.Tx) ([]T, error) { return rows(ctx, tx, scan, q) })
}

// one reads the only row of a query; none is a refusal.
func one[T any](ctx context.Context, b *Board, scan func(row) (T, error), q query) (T, error) {
	return read(ctx, b, func(ctx context.Context, tx store.Tx) (T, error) {
		return found(scan(tx.QueryRow(ctx, q.sql, q.args...)))
	})
}

// rows reads all rows of a query inside a transaction.
func rows[T any](ctx context.Context, tx store.Tx, scan func(row) (T, error), q query) ([]T, error) {
	found, err := tx.Query(ctx, q.sql, q.args...)
	if err != nil {
		return nil, fmt.Errorf("read rows: %w", err)
	}
	defer func() { _ = found.Close() }() // what ended the rows is in Err
	var all []T
	for found.Next() {
		v, err := scan(found)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	if err := found.Err(); err != nil {
		return nil, fmt.Errorf("read rows: %w", err)
	}
	return all, nil
}
