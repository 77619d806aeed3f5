package cli_test

import "testing"

// TestWidgetPagesOnOtherEngines: the widget pages end in Firefox and WebKit as they do
// in Chromium. By default it is the first way through the first page of each family,
// and the first way through every page when LEGWORK_SOAK_REPEAT asks for more.
func TestWidgetPagesOnOtherEngines(t *testing.T) {
	t.Parallel()
	// What an engine cannot do, and why; docs/engines.md says the same.
	const silent = "it refuses the port itself, without a request and without a word"
	differs := map[string]map[string]string{
		"firefox": {"f25f-meta-refresh": silent},
		"webkit": {
			"f15b-shadow-closed": "its protocol does not reach closed shadow roots",
			"f25f-meta-refresh":  silent,
		},
	}
	for _, engine := range []string{"firefox", "webkit"} {
		t.Run(engine, func(t *testing.T) {
			all := repeats(t) > 0
			seen := map[string]bool{}
			var todo []widgetCase
			for _, c := range widgetCases(t) {
				group := c.wizard
				if !all {
					group = c.wizard[:len("f01")]
				}
				if differs[engine][c.wizard] == "" && !seen[group] {
					seen[group] = true
					todo = append(todo, c)
				}
			}
			site := startPractice(t)
			client := overStdio(t, "LEGWORK_PRACTICE_ADDR="+site.addr, "LEGWORK_PRACTICE_WIDGETS=1", "LEGWORK_BROWSER_ENGINE="+engine)
			atOnce(2, todo, func(c widgetCase) {
				if wrong := runWidget(t, client, site, c); wrong != "" {
					t.Errorf("%s/%s: %s", c.wizard, c.Name, wrong)
				}
			})
		})
	}
}
