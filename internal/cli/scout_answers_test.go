package cli_test

import (
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/legwork-mcp/legwork/internal/scout"
)

// explorations are refusals of the discovery tools that the others do not make.
func (w *world) explorations() []recovery {
	return []recovery{
		{scout.TypeNotFound, func(t *testing.T) *mcp.CallToolResult {
			id := explores(t, w.client, `{"url":"`+quickForm+`"}`)
			defer call(t, w.client, "federalscout_close_session", `{"session_id":"`+id+`"}`)
			return call(t, w.client, "federalscout_get_page_info", `{"session_id":"`+id+`","options_of":"#no-such-list"}`)
		}, []string{"no-such-list", "federalscout_get_page_info"}},
	}
}

// TestAnswersOfTheDiscoveryKeepTheirPromise: what the discovery tools answer fits
// the schemas that they declare, on the wire and in the reference, has the keys of
// their specification and a text that is enough.
func TestAnswersOfTheDiscoveryKeepTheirPromise(t *testing.T) {
	t.Parallel()
	site := startPractice(t)
	client := overStdio(t, "LEGWORK_PRACTICE_ADDR="+site.addr)
	schemas, whole := outputSchemas(t, client), wholeSchemas(t)
	answers := func(name, args string, keys, words []string) {
		t.Helper()
		res := call(t, client, name, args)
		checkAnswer(t, schemas[name], res, append(keys, "success", "timestamp"), words)
		if !res.IsError {
			checkAnswer(t, whole[name], res, nil, nil)
		}
	}
	id := explores(t, client, `{"url":"`+quickForm+`"}`)
	in := `{"session_id":"` + id + `"`
	view := []string{"session_id", "current_url", "html_context", "message"}
	answers("federalscout_start_discovery", `{"url":"`+quickForm+`"}`, view, []string{quickForm, "federalscout_draft_page", "#month"})
	answers("federalscout_get_page_info", in+`}`, []string{"current_url", "page_title", "elements", "message"}, []string{"#month"})
	answers("federalscout_execute_actions", in+`,"actions":[{"action":"fill","selector":"#month","value":"2"}]}`,
		[]string{"completed_count", "total_actions", "failed_actions", "message"}, nil)
	answers("federalscout_undo_or_goto", in+`,"to":"undo"}`, nil, nil)
	answers("federalscout_click_element", in+`,"selector":"#day"}`, view, nil)
	answers("federalscout_click_element", in+`,"selector":"No such button"}`, []string{"error_type", "error"}, []string{"element_not_found", "No such button"})
	answers("federalscout_probe_page", in+`}`, nil, nil)
	answers("federalscout_draft_page", in+`,"save":true}`, []string{"page_metadata", "total_pages_discovered", "partial_file"}, []string{"saved", "#month"})
	answers("federalscout_list_sessions", `{}`, nil, []string{id, "1 page saved"})
	answers("federalscout_resume_session", in+`}`, []string{"total_pages_discovered"}, []string{id})
	answers("federalscout_complete_discovery", in+`,"wizard_name":"Quick","wizard_id":"quick-again"}`,
		[]string{"wizard_id", "saved_to", "wizard_structure", "validation"}, []string{"quick-again", "federalrunner_execute_wizard"})
	answers("federalscout_get_page_info", in+`}`, []string{"error_type", "error", "corrective_action"}, []string{"invalid_session", "What to do", "federalscout_start_discovery"})
}

// TestNoValueOfTheDiscoveryIsWritten: what is typed while a form is explored is
// neither in the log nor in a file, the partial file of the session included.
func TestNoValueOfTheDiscoveryIsWritten(t *testing.T) {
	t.Parallel()
	site, temp := startPractice(t), t.TempDir()
	client := overHTTPAt(t, "mcp/scout", "LEGWORK_PRACTICE_ADDR="+site.addr, "LEGWORK_LOG_LEVEL=debug", "TMPDIR="+temp)
	id := explores(t, client, `{"url":"`+quickForm+`"}`)
	for _, selector := range []string{"#earnings", "#no-such-field"} {
		call(t, client, "federalscout_execute_actions",
			`{"session_id":"`+id+`","actions":[{"action":"fill","selector":"`+selector+`","value":"`+canary+`"}]}`)
	}
	if res := call(t, client, "federalscout_draft_page", `{"session_id":"`+id+`","save":true}`); res.IsError {
		t.Fatal(text(res))
	}
	grepAll(t, canary, homeOf(client))
	terminate(t, client.cmd)
	grepAll(t, canary, homeOf(client), temp)
	if log := client.log.String(); strings.Contains(log, canary) || !strings.Contains(log, "federalscout_execute_actions") {
		t.Errorf("the log holds the value, or does not name the tool:\n%s", log)
	}
}
