package main

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// kind is one sort of request, measured apart.
type kind struct {
	cpu  []time.Duration // of the server for one request, one for each turn
	took []time.Duration // of each request, as the client waits
}

// contender is a server in one era.
type contender struct {
	server       *server
	era          string
	calls, lists kind
}

// warm forgets what was measured: a first turn is spent on starting.
func (c *contender) warm() { c.calls, c.lists = kind{}, kind{} }

// turn loads the server with calls, then with lists.
func (c *contender) turn(ctx context.Context, o options) error {
	clients := make([]*client, 0, o.connections)
	defer func() {
		for _, cl := range clients {
			cl.close(ctx)
		}
	}()
	for range o.connections {
		cl, err := connect(ctx, c.server, c.era)
		if err != nil {
			return err
		}
		clients = append(clients, cl)
	}
	for _, part := range []struct {
		of *kind
		m  message
		n  int
	}{{&c.calls, callMessage, o.n}, {&c.lists, listMessage, o.lists}} {
		before, err := c.server.cpu()
		if err != nil {
			return err
		}
		sent, err := part.of.load(ctx, clients, part.m, part.n)
		if err != nil {
			return err
		}
		after, err := c.server.cpu()
		if err != nil {
			return err
		}
		part.of.cpu = append(part.of.cpu, (after-before)/time.Duration(sent))
	}
	return nil
}

// load shares n requests out among the clients, and returns how many they sent.
func (k *kind) load(ctx context.Context, clients []*client, m message, n int) (sent int, err error) {
	each := max(n/len(clients), 1)
	took, failed := make([][]time.Duration, len(clients)), make([]error, len(clients))
	var wg sync.WaitGroup
	for i, c := range clients {
		wg.Go(func() {
			for range each {
				start := time.Now()
				if _, failed[i] = c.send(ctx, m); failed[i] != nil {
					return
				}
				took[i] = append(took[i], time.Since(start))
			}
		})
	}
	wg.Wait()
	k.took = append(k.took, slices.Concat(took...)...)
	return each * len(clients), errors.Join(failed...)
}
