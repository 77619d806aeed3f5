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
)

// linePrefix begins the address of somebody at LINE; the rest is the user id.
const linePrefix = "line:"

// LINEAddress is the address of a user id at LINE.
func LINEAddress(userID string) string { return linePrefix + userID }

// LINEEndpoint is where push messages go (LINE Messaging API reference, "Send push
// message").
const LINEEndpoint = "https://api.line.me/v2/bot/message/push"

// LINE is a Sender that writes to people who have the board's LINE account as a
// friend. Repeated attempts have the same retry key, the id of the letter, so that LINE
// delivers one of them at most ("Retry failed API requests").
type LINE struct {
	// Token is the channel access token.
	Token string
	// Endpoint is LINEEndpoint, or that of a stand-in.
	Endpoint string
	Client   *http.Client
}

// longestLINE is the most that LINE takes in one text, in UTF-16 code units.
const longestLINE = 5000

// Send implements Sender.
func (s *LINE) Send(ctx context.Context, l Letter) error {
	if err := l.check(); err != nil {
		return err
	}
	type message struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	raw, err := json.Marshal(struct {
		To       string    `json:"to"`
		Messages []message `json:"messages"`
	}{strings.TrimPrefix(l.To, linePrefix), []message{{"text", cutUTF16(l.Subject+"\n\n"+l.Body, longestLINE)}}})
	if err != nil {
		return fmt.Errorf("write a LINE message: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.Endpoint, bytes.NewReader(raw))
	if err != nil {
		return fmt.Errorf("write a LINE message: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+s.Token)
	req.Header.Set("X-Line-Retry-Key", l.ID)
	res, err := s.Client.Do(req)
	if err != nil {
		return errors.New("send a LINE message: no answer") // the cause quotes the request
	}
	defer func() { _ = res.Body.Close() }()
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 64<<10)) // the status says it all
	switch res.StatusCode {
	case http.StatusOK, http.StatusConflict: // 409: an earlier attempt was taken
		return nil
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge:
		return refuse(fmt.Sprintf("LINE does not take it (status %d)", res.StatusCode))
	}
	return fmt.Errorf("send a LINE message: status %d", res.StatusCode)
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

// Ways is a Sender that gives each letter to the one for its address.
type Ways struct {
	Mail, LINE Sender
}

// Send implements Sender.
func (w Ways) Send(ctx context.Context, l Letter) error {
	if strings.HasPrefix(l.To, linePrefix) {
		return w.LINE.Send(ctx, l)
	}
	return w.Mail.Send(ctx, l)
}
