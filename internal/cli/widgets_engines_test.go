package cli_test

import "testing"

// TestWidgetPagesOnOtherEngines: the widget pages end in Firefox and WebKit as they do
// in Chromium. By default it is the first way through the first page of each family,
// and the first way through every page when LEGWORK_SOAK_REPEAT asks for more.
func TestWidgetPagesOnOtherEngines(t *testing.T) {
	t.Parallel()
	for _, engine := range otherEngines {
		t.Run(engine, func(t *testing.T) {
			all := repeats(t) > 0
			seen := map[string]bool{}
			var todo []widgetCase
			for _, c := range widgetCases(t) {
				group := c.wizard
				if !all {
					group = c.wizard[:len("f01")]
				}
				if !seen[group] {
					seen[group] = all || differences()[engine][c.wizard] == ""
					todo = append(todo, c)
				}
			}
			site := startPractice(t)
			client := overStdio(t, "LEGWORK_PRACTICE_ADDR="+site.addr, "LEGWORK_PRACTICE_WIDGETS=1", on(engine))
			counted := count{What: whatWidgets, Engine: engine}
			atOnce(2, todo, func(c widgetCase) {
				wrong := runWidget(t, client, site, c)
				counted.add(wrong == "")
				switch known := differences()[engine][c.wizard]; {
				case wrong != "" && known == "":
					t.Errorf("%s/%s: %s", c.wizard, c.Name, wrong)
				case wrong == "" && known != "":
					t.Errorf("%s/%s ends as in Chromium; it is told of %s that %s", c.wizard, c.Name, engine, known)
				}
			})
			counted.keep(t)
		})
	}
}
