package board

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
)

// TestMatrixOfFiles is the authorization matrix of what is not under the API's own
// routes: every step of an upload that a person began, by everybody (the links to
// what was delivered are in TestPhotosThroughTheBoard). Who does not own an upload does not learn that it is there.
func TestMatrixOfFiles(t *testing.T) {
	s := open(t, options(t, databases.SQLite(t)))
	s.running()
	key, otherKey := s.agent(), s.json("POST", "/api/ai/accounts", "", map[string]any{"name": "Other", "paypal_email": "other@agents.net"})["api_key"].(string)
	_, session := s.signIn("hana@people.jp")
	_, other := s.signIn("taro@people.jp")
	_, boss := s.signIn("boss@board.jp")
	reading := s.json("POST", "/api/ai/keys", key, map[string]any{"name": "reader", "scopes": []string{"read"}})["api_key"].(string)
	callers := []struct{ name, as string }{
		{"nobody", ""}, {"another agent", otherKey}, {"another person", other}, {"the owner", session}, {"the requester", key}, {"an operator", boss},
		{"a key that may only read", reading}, {"a session that is none", strings.Repeat("x", 43)},
	}
	photo := picture(t)
	begin := func(as string) (int, string) {
		status, header, _ := s.request("POST", "/api/uploads/", as, nil, map[string]string{
			"Upload-Length": fmt.Sprint(len(photo)), "Upload-Metadata": "kind " + base64.StdEncoding.EncodeToString([]byte("photo")),
		})
		return status, "/api/uploads/" + header.Get("Location")
	}
	// nobody, other agent, other person, owner, requester, operator, reading key, no session
	for step, want := range map[string]string{
		"begin":    "403 201 201 201 201 201 403 403",
		"offset":   "403 404 404 200 404 404 403 403",
		"part":     "403 404 404 204 404 404 403 403",
		"complete": "403 404 404 200 404 404 403 403",
		"drop":     "403 404 404 204 404 404 403 403",
	} {
		for i, status := range strings.Fields(want) {
			c := callers[i]
			got, path := begin(session)
			if got != 201 {
				t.Fatalf("the owner begins: %d", got)
			}
			switch step {
			case "begin":
				got, _ = begin(c.as)
			case "offset":
				got, _, _ = s.request("HEAD", path, c.as, nil, nil)
			case "part":
				got, _, _ = s.request("PATCH", path, c.as, bytes.NewReader(photo[:100]), map[string]string{"Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"})
			case "complete":
				s.part(path, session, 0, photo)
				got, _, _ = s.request("POST", path+"/complete", c.as, nil, nil)
			case "drop":
				got, _, _ = s.request("DELETE", path, c.as, nil, nil)
			}
			if fmt.Sprint(got) != status {
				t.Errorf("%s by %s: %d, want %s", step, c.name, got, status)
			}
			s.request("DELETE", path, session, nil, nil) // few may be unfinished
		}
	}
}
