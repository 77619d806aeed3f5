package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// part is one kind of request, measured apart.
type part struct {
	perSecond []float64 // one for each turn
	cpu       []float64 // milliseconds of the server for one request, one for each turn
	took      []time.Duration
}

// turn posts, reads what was posted, and lists.
func (c *contender) turn(ctx context.Context, o options) error {
	var mu sync.Mutex
	err := c.posts.load(ctx, c, o, func(ctx context.Context, client, n int) error {
		var got struct{ ID, Status string }
		if err := c.ask(ctx, request{http.MethodPost, "/api/tasks", draft(client, n), c.key(client)}, &got); err != nil {
			return err
		}
		if got.ID == "" || got.Status != "open" {
			return fmt.Errorf("a post was answered %+v", got)
		}
		mu.Lock()
		c.ids = append(c.ids, got.ID)
		mu.Unlock()
		return nil
	})
	if err != nil {
		return err
	}
	err = c.reads.load(ctx, c, o, func(ctx context.Context, client, n int) error {
		id := c.ids[(client*7919+n)%len(c.ids)]
		var got struct{ Task struct{ ID string } }
		if err := c.ask(ctx, request{http.MethodGet, "/api/tasks/" + id, "", c.key(client)}, &got); err != nil {
			return err
		}
		if got.Task.ID != id {
			return fmt.Errorf("asked for %s, got %s", id, got.Task.ID)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return c.listing.load(ctx, c, o, func(ctx context.Context, client, _ int) error {
		var got struct{ Tasks []struct{ ID string } }
		if err := c.ask(ctx, request{http.MethodGet, "/api/tasks?limit=20&scope=public", "", c.key(client)}, &got); err != nil {
			return err
		}
		if len(got.Tasks) != 20 {
			return fmt.Errorf("a list has %d tasks", len(got.Tasks))
		}
		return nil
	})
}

// key is the account and key of a client.
func (c *contender) key(client int) string {
	if len(c.keys) == 0 {
		return ""
	}
	return c.keys[client%len(c.keys)]
}

// draft is a task, no two alike.
func draft(client, n int) string {
	return fmt.Sprintf(`{"task":"渋谷区の店 %d-%d の営業時間を確かめ、掲示の写真を送ってください","origin_country":"JP","task_label":"real_world_verification",`+
		`"acceptance_criteria":"掲示の文字が読める写真","not_allowed":"店員やお客さんを写さない","budget_usd":20,"deliverable":"photo","location":"東京都渋谷区","deadline_minutes":600}`, client, n)
}

// load has all clients ask for a time.
func (p *part) load(ctx context.Context, c *contender, o options, once func(ctx context.Context, client, n int) error) error {
	before, err := c.cpu()
	if err != nil {
		return err
	}
	took, failed := make([][]time.Duration, o.clients), make([]error, o.clients)
	began := time.Now()
	var wg sync.WaitGroup
	for client := range o.clients {
		wg.Go(func() {
			for n := 0; time.Since(began) < o.time; n++ {
				start := time.Now()
				if failed[client] = once(ctx, client, n); failed[client] != nil {
					return
				}
				took[client] = append(took[client], time.Since(start))
			}
		})
	}
	wg.Wait()
	wall := time.Since(began)
	after, err := c.cpu()
	for _, err := range append(failed, err) {
		if err != nil {
			return err // the others say the same
		}
	}
	all := slices.Concat(took...)
	p.perSecond = append(p.perSecond, float64(len(all))/wall.Seconds())
	p.cpu = append(p.cpu, float64((after-before).Microseconds())/1000/float64(len(all)))
	p.took = append(p.took, all...)
	return nil
}

// cpu is the time that the processes of a contender have used (proc(5), stat): the group
// that it was started as.
func (c *contender) cpu() (time.Duration, error) {
	folders, err := os.ReadDir("/proc")
	if err != nil {
		return 0, fmt.Errorf("read the processes: %w", err)
	}
	const tick = 10 * time.Millisecond // USER_HZ is 100 on Linux
	var sum time.Duration
	for _, f := range folders {
		if _, err := strconv.Atoi(f.Name()); err != nil {
			continue
		}
		raw, err := os.ReadFile("/proc/" + f.Name() + "/stat")
		if err != nil {
			continue // it has ended
		}
		fields := strings.Fields(string(raw[strings.LastIndexByte(string(raw), ')')+1:]))
		if len(fields) < 15 || fields[2] != strconv.Itoa(c.cmd.Process.Pid) {
			continue
		}
		for _, at := range []int{11, 12, 13, 14} { // own and ended children's, user and system
			n, err := strconv.ParseInt(fields[at], 10, 64)
			if err != nil {
				return 0, fmt.Errorf("read %s: %w", f.Name(), err)
			}
			sum += time.Duration(n) * tick
		}
	}
	return sum, nil
}
