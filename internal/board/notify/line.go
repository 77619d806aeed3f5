package notify

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"unicode/utf16"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// linePrefix begins the address of somebody at LINE; the rest is the user id.
const linePrefix = "line:"

// LINEAddress is the address of a user id at LINE.
func LINEAddress(userID string) string { return linePrefix + userID }

// LINEEndpoint is where push messages go (LINE Messaging API reference, "Send push
// message").
const LINEEndpoint = "https://api.line.me/v2/bot/message/push"

// LINEProfiles is where the profiles of users are (the same reference, "Get profile").
const LINEProfiles = "https://api.line.me/v2/bot/profile/"

// LINE is a Sender that writes to people who have the board's LINE account as a
// friend. Repeated attempts have the same retry key, the id of the letter, so that LINE
// delivers one of them at most ("Retry failed API requests").
type LINE struct {
	// Token is the channel access token.
	Token string
	// Endpoint and Profiles are LINEEndpoint and LINEProfiles, or those of a stand-in.
	Endpoint, Profiles string
	Client             *http.Client
}

// longestLINE is the most that LINE takes in one text, in UTF-16 code units.
const longestLINE = 5000

// Send implements Sender.
func (s *LINE) Send(ctx context.Context, l Letter) error {
	if err := l.check(); err != nil {
		return err
	}
	user := strings.TrimPrefix(l.To, linePrefix)
	if err := s.friend(ctx, user); err != nil {
		return err
	}
	type message struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	raw, err := json.Marshal(struct {
		To       string    `json:"to"`
		Messages []message `json:"messages"`
	}{user, []message{{"text", cutUTF16(l.Subject+"\n\n"+l.Body, longestLINE)}}})
	if err != nil {
		return fmt.Errorf("write a LINE message: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.Endpoint, bytes.NewReader(raw))
	if err != nil {
		return fmt.Errorf("write a LINE message: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Line-Retry-Key", l.ID)
	status, err := s.ask(req)
	switch {
	case err != nil:
		return err
	case status == http.StatusOK, status == http.StatusConflict: // 409: an earlier attempt was taken
		return nil
	case status == http.StatusBadRequest, status == http.StatusRequestEntityTooLarge:
		return refuse(fmt.Sprintf("LINE does not take it (status %d)", status))
	}
	return closed(status)
}

// friend refuses who has blocked the board's account or is no friend of it: LINE takes
// messages for them without a word and delivers none.
func (s *LINE) friend(ctx context.Context, user string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.Profiles+user, nil)
	if err != nil {
		return fmt.Errorf("ask LINE for a friend: %w", err)
	}
	status, err := s.ask(req)
	switch {
	case err != nil:
		return err
	case status == http.StatusOK:
		return nil
	case status == http.StatusNotFound, status == http.StatusBadRequest:
		return refuse("the user at LINE is no friend of the board's account")
	}
	return closed(status)
}

// ask sends a request with the token and returns the status of the answer.
func (s *LINE) ask(req *http.Request) (int, error) {
	req.Header.Set("Authorization", "Bearer "+s.Token)
	res, err := s.Client.Do(req)
	if err != nil {
		return 0, errors.New("ask LINE: no answer") // the cause quotes the request
	}
	defer func() { _ = res.Body.Close() }()
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 64<<10)) // the status says it all
	return res.StatusCode, nil
}

// closed says that LINE takes nothing for now: a token that is not good, a quota of the
// month that is used up, a defect at LINE.
func closed(status int) error {
	why := fmt.Sprintf("LINE does not take messages (status %d).", status)
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return fault.New(fault.Denied, "line_closed", why, "Check the channel access token of the board.")
	case http.StatusTooManyRequests:
		return fault.New(fault.Limited, "line_closed", why, "Check how many messages the plan of the LINE account has left.")
	}
	return fmt.Errorf("send a LINE message: status %d", status)
}

// cutUTF16 cuts a text to so many UTF-16 code units, not within a character.
func cutUTF16(text string, most int) string {
	n := 0
	for i, r := range text {
		if n += utf16.RuneLen(r); n > most {
			return text[:i]
		}
	}
	return text
}

// lineUser reports whether an address is that of a user at LINE: U and 32 hexadecimal
// digits.
func lineUser(address string) bool {
	id, ok := strings.CutPrefix(address, linePrefix+"U")
	return ok && len(id) == 32 && strings.Trim(id, "0123456789abcdef") == ""
}
