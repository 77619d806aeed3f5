package hosted

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// TestStrangersFindNothing: what one subject started does not exist for another,
// in whatever session and however good his token is.
func TestStrangersFindNothing(t *testing.T) {
	s := startServer(t, auth0.env()...)
	owner := s.caller(t, "/mcp", machineToken(t, auth0, "machine")).open()
	stranger := s.caller(t, "/mcp", machineToken(t, auth0, "other-machine")).open()

	info := structured(t, owner.call("federalrunner_get_wizard_info", `{"wizard_id":"`+wizard+`"}`).want(t, http.StatusOK))
	example, err := json.Marshal(info["example"])
	if err != nil {
		t.Fatal(err)
	}
	run := structured(t, owner.call("federalrunner_execute_wizard", `{"wizard_id":"`+wizard+`","options":{"wait_seconds":0},"user_data":`+string(example)+`}`).want(t, http.StatusOK))
	id, _ := run["run_id"].(string)
	page := structured(t, owner.call("federalscout_start_discovery", `{"url":"http://practice.localhost/oact/quickcalc/"}`).want(t, http.StatusOK))
	exploration, _ := page["session_id"].(string)
	if id == "" || exploration == "" {
		t.Fatalf("no run or no exploration: %v %v", run, page)
	}

	for name, c := range map[string]struct{ tool, arguments, made string }{
		"run":         {"federalrunner_get_run", `{"run_id":"ID"}`, id},
		"cancel":      {"federalrunner_get_run", `{"run_id":"ID","cancel":true}`, id},
		"exploration": {"federalscout_get_page_info", `{"session_id":"ID"}`, exploration},
		"close":       {"federalscout_close_session", `{"session_id":"ID"}`, exploration},
	} {
		for era, call := range map[string]func(tool, arguments string) reply{"session": stranger.call, "modern": stranger.modern} {
			t.Run(name+" "+era, func(t *testing.T) {
				mine := call(c.tool, strings.ReplaceAll(c.arguments, "ID", c.made)).want(t, http.StatusOK)
				none := call(c.tool, strings.ReplaceAll(c.arguments, "ID", unlike(c.made))).want(t, http.StatusOK)
				found, missing := structured(t, mine), structured(t, none)
				if found["success"] != false || found["error_type"] != missing["error_type"] || !strings.Contains(mine.body, `"isError":true`) {
					t.Errorf("the owner's answers\n%s\nwhat does not exist answers\n%s", mine.body, none.body)
				}
			})
		}
	}
	for _, list := range []reply{stranger.call("federalscout_list_sessions", `{}`), stranger.modern("federalscout_list_sessions", `{}`)} {
		if list.want(t, http.StatusOK); strings.Contains(list.body, exploration) {
			t.Errorf("the owner's exploration is listed: %s", list.body)
		}
	}

	// The owner still has both: nothing above cancelled or closed them. What was begun in
	// a session is there without one, too: a handle is the subject's, not the session's.
	if got := structured(t, owner.modern("federalrunner_get_run", `{"run_id":"`+id+`","wait_seconds":60}`).want(t, http.StatusOK)); got["status"] != "success" {
		t.Errorf("the owner's run ends with %v", got["status"])
	}
	if got := structured(t, owner.call("federalscout_close_session", `{"session_id":"`+exploration+`"}`).want(t, http.StatusOK)); got["success"] != true {
		t.Errorf("the owner's exploration is gone: %v", got)
	}

	// Nor does the protocol's session serve another subject, and he cannot end it.
	session := owner.session
	thief := s.caller(t, "/mcp", stranger.token)
	thief.session = session
	thief.list().want(t, http.StatusNotFound)
	header := http.Header{"Mcp-Session-Id": {session}, "Authorization": {"Bearer " + stranger.token}}
	send(t, http.MethodDelete, s.base+"/mcp", header, "").want(t, http.StatusNotFound)
	delete(header, "Authorization")
	send(t, http.MethodDelete, s.base+"/mcp", header, "").want(t, http.StatusUnauthorized)
	owner.list().want(t, http.StatusOK)
}

// TestStrangersFindNoConnection: what the tester is connected to, and a scan, are their
// caller's alone, in both eras.
func TestStrangersFindNoConnection(t *testing.T) {
	s := startServer(t, append(ory.env(), "LEGWORK_ALLOW_PRIVATE=1")...)
	owner, stranger := s.caller(t, "/mcp", machineToken(t, ory, "machine")).open(), s.caller(t, "/mcp", machineToken(t, ory, "machine-too")).open()
	connected := structured(t, owner.modern("connect_to_server", `{"url":"`+s.base+`/mcp/runner","connection":"mine"}`).want(t, http.StatusOK))
	scan := structured(t, owner.call("cwac_scan", `{"urls":["`+s.base+`/health"]}`).want(t, http.StatusOK))
	id, _ := scan["scan_id"].(string)
	if connected["success"] != true || id == "" {
		t.Fatalf("no connection or no scan: %v %v", connected, scan)
	}
	for era, call := range map[string]func(tool, arguments string) reply{"session": stranger.call, "modern": stranger.modern} {
		for tool, arguments := range map[string]string{
			"get_connection_status": `{"connection":"mine"}`, "disconnect": `{"connection":"mine"}`, "get_transcript": `{"connection":"mine"}`,
			"cwac_scan_status": `{"scan_id":"` + id + `"}`, "cwac_cancel_scan": `{"scan_id":"` + id + `"}`, "cwac_list_scans": `{}`,
		} {
			answer := call(tool, arguments).want(t, http.StatusOK)
			told := strings.ReplaceAll(answer.body, id, "") // the stranger knows this himself
			if strings.Contains(told, s.base) || tool == "cwac_list_scans" && strings.Contains(answer.body, id) ||
				strings.HasPrefix(tool, "cwac_") && tool != "cwac_list_scans" && !strings.Contains(answer.body, `"isError":true`) {
				t.Errorf("%s, %s: %s", era, tool, answer.body)
			}
		}
	}
	if got := structured(t, owner.call("get_connection_status", `{"connection":"mine"}`)); got["connected"] != true {
		t.Errorf("the owner's connection is gone: %v", got)
	}
	if got := structured(t, owner.modern("cwac_cancel_scan", `{"scan_id":"`+id+`"}`)); got["success"] == false {
		t.Errorf("the owner's scan is gone: %v", got)
	}
}

// unlike changes the last character of an id: of the same form, of nobody.
func unlike(id string) string {
	last := "0"
	if strings.HasSuffix(id, last) {
		last = "1"
	}
	return id[:len(id)-1] + last
}

// structured is the structured content of a tool's result.
func structured(t *testing.T, r reply) map[string]any {
	t.Helper()
	var res struct {
		Structured map[string]any `json:"structuredContent"`
	}
	if err := json.Unmarshal([]byte(r.result()), &res); err != nil || res.Structured == nil {
		t.Fatalf("no structured content: %v %s", err, r.body)
	}
	return res.Structured
}
