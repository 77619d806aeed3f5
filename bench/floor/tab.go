package main

import (
	"context"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

//go:embed fill.js
var fill string

//go:embed read.js
var read string

const (
	click  = `(selector) => document.querySelector(selector).click()`
	start  = `a[href^="/aid-estimator/start"]`
	onward = `#fsa_Button_FlowPrimary`

	width, height = 1280, 1024
)

// tab is one page in a browser context of its own.
type tab struct {
	c       *conn
	context string
	session string
	changed chan struct{}

	mu     sync.Mutex
	ready  string // loader of the document whose DOM is complete
	world  string // where its scripts run
	before string // the loader before the click
}

// open makes a context with one page. What does not depend on each other is sent
// in one go.
func (c *conn) open(ctx context.Context) (*tab, error) {
	t := &tab{c: c, changed: make(chan struct{}, 1)}
	var made struct {
		Context string `json:"browserContextId"`
		Target  string `json:"targetId"`
		Session string `json:"sessionId"`
	}
	if err := c.call(ctx, command{method: "Target.createBrowserContext", params: object{"disposeOnDetach": true}}, &made); err != nil {
		return nil, err
	}
	t.context = made.Context
	target := object{"url": "about:blank", "browserContextId": t.context, "width": width, "height": height}
	if err := c.call(ctx, command{method: "Target.createTarget", params: target}, &made); err != nil {
		return nil, err
	}
	attach := object{"targetId": made.Target, "flatten": true}
	if err := c.call(ctx, command{method: "Target.attachToTarget", params: attach}, &made); err != nil {
		return nil, err
	}
	t.session = made.Session
	c.mu.Lock()
	c.sessions[t.session] = t.event
	c.mu.Unlock()
	for _, m := range []string{"Page.enable", "Runtime.enable"} {
		if _, err := c.start(command{method: m, session: t.session}); err != nil {
			return nil, err
		}
	}
	return t, t.call(ctx, "Page.setLifecycleEventsEnabled", object{"enabled": true}, nil)
}

// close throws the context away.
func (t *tab) close(ctx context.Context) {
	t.c.mu.Lock()
	delete(t.c.sessions, t.session)
	t.c.mu.Unlock()
	gone := object{"browserContextId": t.context}
	_ = t.c.call(ctx, command{method: "Target.disposeBrowserContext", params: gone}, nil) // closing the browser is next
}

// call sends a command to the page.
func (t *tab) call(ctx context.Context, method string, params object, out any) error {
	return t.c.call(ctx, command{method: method, params: params, session: t.session}, out)
}

// event notes which document is complete and where its scripts run.
func (t *tab) event(m message) {
	var p struct {
		Name    string `json:"name"`
		Loader  string `json:"loaderId"`
		Context struct {
			Unique string `json:"uniqueId"`
			Aux    struct {
				Default bool `json:"isDefault"`
			} `json:"auxData"`
		} `json:"context"`
	}
	if json.Unmarshal(m.Params, &p) != nil {
		return
	}
	t.mu.Lock()
	switch {
	case m.Method == "Runtime.executionContextCreated" && p.Context.Aux.Default:
		t.world = p.Context.Unique
	case m.Method == "Page.lifecycleEvent" && p.Name == "DOMContentLoaded":
		t.ready = p.Loader
	}
	t.mu.Unlock()
	select {
	case t.changed <- struct{}{}:
	default: // a wake-up is pending already
	}
}

// next waits until another document than the one before is complete.
func (t *tab) next(ctx context.Context) error {
	for {
		t.mu.Lock()
		moved := t.ready != t.before
		if moved {
			t.before = t.ready
		}
		t.mu.Unlock()
		if moved {
			return nil
		}
		select {
		case <-t.changed:
		case <-t.c.done:
			return errors.New("the browser hung up")
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// do calls a function of the page with one argument and waits for its promise.
func (t *tab) do(ctx context.Context, fn string, arg, out any) error {
	t.mu.Lock()
	world := t.world
	t.mu.Unlock()
	var res struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		Exception *struct {
			Text string `json:"text"`
		} `json:"exceptionDetails"`
	}
	err := t.call(ctx, "Runtime.callFunctionOn", object{
		"functionDeclaration": fn, "uniqueContextId": world, "arguments": []object{{"value": arg}},
		"awaitPromise": true, "returnByValue": true, "userGesture": true,
	}, &res)
	switch {
	case err != nil:
		return err
	case res.Exception != nil:
		return errors.New("the page's script failed: " + res.Exception.Text)
	case out == nil:
		return nil
	}
	return json.Unmarshal(res.Result.Value, out)
}

// execute fills in the form from its landing page to its answer.
func (t *tab) execute(ctx context.Context, j job) (answer, error) {
	var a answer
	if err := t.navigate(ctx, j.URL); err != nil {
		return a, err
	}
	if err := t.do(ctx, click, start, nil); err != nil {
		return a, err
	}
	for n, steps := range pages(j.Data) {
		if err := t.page(ctx, steps, camera{j, &a}); err != nil {
			return a, fmt.Errorf("page %d: %w", n+1, err)
		}
	}
	if err := t.next(ctx); err != nil {
		return a, err
	}
	var result struct {
		Pairs  map[string]string `json:"pairs"`
		Height int               `json:"height"`
	}
	if err := t.do(ctx, read, nil, &result); err != nil {
		return a, err
	}
	a.Pairs = result.Pairs
	return a, t.shot(ctx, camera{j, &a}, result.Height)
}

func (t *tab) navigate(ctx context.Context, url string) error {
	var to struct {
		Loader string `json:"loaderId"`
		Error  string `json:"errorText"`
	}
	if err := t.call(ctx, "Page.navigate", object{"url": url}, &to); err != nil {
		return err
	}
	if to.Error != "" {
		return fmt.Errorf("opening %s: %s", url, to.Error)
	}
	for {
		if err := t.next(ctx); err != nil {
			return err
		}
		if t.before == to.Loader {
			return nil // and not the blank page that was there first
		}
	}
}

// page waits for the next page, fills it in, takes its picture and leaves it.
func (t *tab) page(ctx context.Context, steps []step, cam camera) error {
	if err := t.next(ctx); err != nil {
		return err
	}
	var tall int
	if err := t.do(ctx, fill, steps, &tall); err != nil {
		return err
	}
	if err := t.shot(ctx, cam, tall); err != nil {
		return err
	}
	return t.do(ctx, click, onward, nil)
}

// camera knows how pictures are wished for and where they are counted.
type camera struct {
	job
	*answer
}

// shot takes the whole page, as one JPEG.
func (t *tab) shot(ctx context.Context, cam camera, tall int) error {
	tall = max(tall, height)
	var res struct {
		Data string `json:"data"`
	}
	err := t.call(ctx, "Page.captureScreenshot", object{
		"format": "jpeg", "quality": cam.Quality, "captureBeyondViewport": tall > height,
		"clip": object{"x": 0, "y": 0, "width": width, "height": tall, "scale": 1},
	}, &res)
	if err != nil {
		return err
	}
	img, err := base64.StdEncoding.DecodeString(res.Data)
	if err != nil {
		return err
	}
	cam.Pictures++
	cam.Bytes += len(img)
	if cam.Keep == "" {
		return nil
	}
	return os.WriteFile(filepath.Join(cam.Keep, fmt.Sprintf("%d.jpg", cam.Pictures)), img, 0o644)
}
