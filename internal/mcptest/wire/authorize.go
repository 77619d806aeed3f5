package wire

import (
	"context"
	"fmt"
	"net/http"
)

// mostChallenges and mostRedirects bound what one message goes through.
const (
	mostChallenges = 4
	mostRedirects  = 3
)

// persist makes a request, again after a challenge that was met, and after a redirect
// that may be followed: with the same method, to the same host.
func (w *web) persist(ctx context.Context, t *trip) (*http.Response, *HTTPAnswer, error) {
	redirects := 0
	raw := t.out.tweak != nil
	for {
		resp, a, err := w.roundTrip(ctx, t)
		if err != nil {
			return nil, nil, err
		}
		if t.out.call != nil && w.c.isOver(t.out.call) {
			return resp, a, nil // nobody wants to have it sent again
		}
		challenged := (resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden) &&
			w.c.opt.Authorize != nil && t.challenges < mostChallenges && !(raw && t.out.tweak.NoAuthorize)
		switch {
		case challenged:
			t.challenges++
			again, err := w.authorize(ctx, t, resp, a)
			if again {
				continue
			}
			return resp, a, err
		case isFollowed(resp.StatusCode) && !raw && redirects < mostRedirects && w.follow(t, resp, a):
			redirects++
			continue
		}
		return resp, a, nil
	}
}

// isFollowed reports whether a redirect keeps the method of a request (RFC 9110,
// 15.4.8 and 15.4.9).
func isFollowed(status int) bool {
	return status == http.StatusTemporaryRedirect || status == http.StatusPermanentRedirect
}

func (w *web) redirected(t *trip, resp *http.Response, a *HTTPAnswer) {
	w.c.observe(Observation{Code: Redirected, Status: resp.StatusCode, Detail: "The server redirects to the bytes given here.", Bytes: []byte(a.Location)}, t.out.call)
}

// follow takes a redirect to the same host. Whoever redirects a client elsewhere would
// get its secrets.
func (w *web) follow(t *trip, resp *http.Response, a *HTTPAnswer) bool {
	w.redirected(t, resp, a)
	u, err := t.url.Parse(resp.Header.Get("Location"))
	if err != nil || u.String() == t.url.String() || u.Scheme != t.url.Scheme || u.Host != t.url.Host {
		return false
	}
	w.readSome(resp, a)
	_ = resp.Body.Close() // it was read
	t.url = u
	return true
}

// authorize asks the hook. It is asked by one request at a time; those that wait take
// what it gave the first one.
func (w *web) authorize(ctx context.Context, t *trip, resp *http.Response, a *HTTPAnswer) (again bool, err error) {
	select {
	case w.gate <- struct{}{}:
	case <-ctx.Done():
		return false, giveUp(ctx, t.out.method, "The call was given up while another one was being authorized.")
	}
	defer func() { <-w.gate }()
	w.mu.Lock()
	newer := w.grants > t.grants
	w.challenges++
	attempt := w.challenges
	w.mu.Unlock()
	if newer {
		w.readSome(resp, a)
		_ = resp.Body.Close() // it was read
		return true, nil
	}
	body := w.readSome(resp, a)
	t.out.call.hold(ctx, true)
	defer t.out.call.hold(ctx, false)
	headers, err := w.c.opt.Authorize(ctx, Challenge{
		URL: t.url.String(), Method: t.out.method, Status: resp.StatusCode, Header: resp.Header,
		WWWAuthenticate: resp.Header.Values("Www-Authenticate"), Body: body, Attempt: attempt, Round: t.challenges, Given: t.grants > 0,
	})
	if err != nil {
		_ = resp.Body.Close() // it was read
		return false, &Error{Kind: Refused, Stage: StageHTTP, Method: t.out.method, Detail: "The server wants authorization, and none was got.", HTTP: a, Cause: err}
	}
	if headers == nil {
		resp.Body = readAlready(body, resp.Body)
		return false, nil
	}
	_ = resp.Body.Close() // it was read
	w.c.hide.learnHeader(headers)
	w.mu.Lock()
	w.authorized, w.grants = headers, w.grants+1
	w.mu.Unlock()
	w.c.rec.add(Entry{Direction: Note, Note: fmt.Sprintf("authorized after status %d, challenge %d", resp.StatusCode, attempt)}, nil)
	return true, nil
}
