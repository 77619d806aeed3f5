package practice

// widgetPart serves a template of its own below a widget page.
func widgetPart(template string) func(*widgetCall) {
	return func(c *widgetCall) { c.showTemplate(template, c.page()) }
}

// frameWidgets are the pages with frames and shadow roots.
func frameWidgets() map[string]widget {
	name, city := askText("full_name", "Full name"), askText("city", "City")
	return map[string]widget{
		"f14a": {title: "Frames in frames", asks: []ask{name, city, askText("employer", "Employer")}, parts: map[string]func(*widgetCall){
			"middle": widgetPart("f14a-middle.html"), "inner": widgetPart("f14a-inner.html"),
		}},
		"f14b": {title: "A frame of another site", asks: []ask{name, askText("account", "Bank account")}, parts: map[string]func(*widgetCall){
			"account": widgetPart("f14b-account.html"),
		}},
		"f14c": {title: "A frameset", asks: []ask{name}, parts: map[string]func(*widgetCall){
			"menu": widgetPart("f14c-menu.html"), "form": widgetPart("f14c-form.html"),
		}},
		"f14d": {title: "A frame that is replaced", asks: []ask{name, city}, parts: map[string]func(*widgetCall){
			"loading": widgetPart("f14d-loading.html"), "address": widgetPart("f14d-address.html"),
		}},
		"f14e": {title: "A hidden frame that never answers", asks: []ask{name}, parts: map[string]func(*widgetCall){
			"never": func(c *widgetCall) { wait(c.r, longest) },
		}},
		"f14f": {title: "A form that stays in its frame", asks: []ask{name}, again: "f14f-form.html", parts: map[string]func(*widgetCall){"form": widgetPart("f14f-form.html")}},
		"f14g": {title: "Two frames that look the same", asks: []ask{askText("home_city", "City of home"), askText("work_city", "City of work")},
			parts: map[string]func(*widgetCall){"address": widgetPart("f14g-address.html")}},
		"f15a": {title: "Open shadow roots", asks: []ask{name, city}},
		"f15b": {title: "A closed shadow root", asks: []ask{name, askChoice("contact", "Contact me by", "mail", "phone")}},
		"f15c": {title: "Slotted labels", asks: []ask{name, city}},
		"f15d": {title: "Elements that take part in the form", asks: []ask{name, askChoice("employed", "Do you work?", "yes", "no")}},
	}
}

// dialogWidgets are the pages with dialogs of the browser and with windows.
func dialogWidgets() map[string]widget {
	name := askText("full_name", "Full name")
	age := askPattern("age", "Age", `^\d+$`, "Age must be a number")
	return map[string]widget{
		"f16a": {title: "An alert while loading", asks: []ask{name}},
		"f16b": {title: "An alert about a bad value", asks: []ask{name, age}},
		"f16c": {title: "Continue asks for confirmation", asks: []ask{name}},
		"f16d": {title: "Continue asks for initials", asks: []ask{name, askText("initials", "Initials")}},
		"f16e": {title: "A page that does not want to be left", asks: []ask{name}},
		"f17a": {title: "The form opens in a new window", asks: []ask{name}, parts: map[string]func(*widgetCall){"form": widgetPart("plain.html")}},
		"f17b": {title: "Continue opens a window and closes this one", asks: []ask{name, askText("city", "City")}, parts: map[string]func(*widgetCall){
			"second": widgetPart("f17b-second.html"),
		}},
		"f17c": {title: "The answer comes in a new tab", asks: []ask{name}},
	}
}
