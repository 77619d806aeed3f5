package mcptest

import (
	"strings"
	"testing"
)

// TestCallBecomesTask: a call that its server makes a task comes back with its result and
// what became of the task; a task that never ends is a timeout with the same facts.
func TestCallBecomesTask(t *testing.T) {
	const created = `{"task":{"taskId":"t-1","status":"working","ttl":1000,"pollInterval":20}}`
	server := map[string]string{
		"tools/list":   `{"tools":[{"name":"long","inputSchema":{"type":"object"},"execution":{"taskSupport":"required"}}]}`,
		"tools/call":   created,
		"tasks/get":    `{"taskId":"t-1","status":"completed","statusMessage":"<done>"}`,
		"tasks/result": `{"content":[{"type":"text","text":"12345678901234567890"}],"big":12345678901234567890}`,
		"tasks/cancel": `{"taskId":"t-1","status":"cancelled"}`,
	}
	b := newBench(t)
	s := unruly(t, server)
	b.want("connect_to_server", `{"url":`+quote(s.url)+`}`)
	b.want("list_tools", `{}`)
	a := b.want("call_tool", `{"name":"long"}`)
	if a.at("tool_call.task.task_id") != "t-1" || a.at("tool_call.task.status") != "completed" || !strings.Contains(a.raw, `"big":12345678901234567890`) || !strings.Contains(a.text, "made it a task") {
		t.Errorf("the call answers %s\n%s", a.raw, a.text)
	}
	if sent := strings.Join(s.requests, "\n"); !strings.Contains(sent, `"task":{"ttl":600000}`) || strings.Count(sent, `"tasks/result"`) != 1 {
		t.Errorf("it sent %s", sent)
	}
	server["tasks/get"] = `{"taskId":"t-1","status":"working","pollInterval":20}`
	forever := unruly(t, server)
	b.want("connect_to_server", `{"connection":"b","url":`+quote(forever.url)+`}`)
	late := b.call("call_tool", `{"connection":"b","name":"long","as_task":true,"timeout_ms":150}`)
	if !late.error || late.at("error.type") != "timeout" || late.at("error.details.task.cancel_sent") != true || !strings.Contains(late.raw, "goes on although it was cancelled") {
		t.Errorf("a task that never ends answers %s", late.raw)
	}
}
