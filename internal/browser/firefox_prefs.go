package browser

import (
	"fmt"
	"path/filepath"
	"strings"
)

// firefoxPrefs make Firefox quiet, repeatable and unable to talk to anyone but the
// pages that it is told to load. Values are JavaScript literals.
var firefoxPrefs = []struct{ name, value string }{
	// The browser itself has a proxy that nobody listens at, and every tab has the
	// network guard as its own: nothing goes around it, loopback addresses neither.
	{"network.proxy.type", "1"},
	{"network.proxy.http", `"127.0.0.1"`}, {"network.proxy.http_port", "1"},
	{"network.proxy.ssl", `"127.0.0.1"`}, {"network.proxy.ssl_port", "1"},
	{"network.proxy.allow_hijacking_localhost", "true"}, {"network.proxy.no_proxies_on", `""`},
	{"network.proxy.failover_direct", "false"}, {"network.proxy.allow_bypass", "false"},
	{"network.proxy.socks_remote_dns", "true"}, {"network.dns.disablePrefetch", "true"},
	{"network.dns.disablePrefetchFromHTTPS", "true"}, {"network.trr.mode", "5"},
	{"network.http.http3.enable", "false"}, {"network.webtransport.enabled", "false"},
	{"media.peerconnection.ice.proxy_only", "true"},
	{"network.prefetch-next", "false"}, {"network.predictor.enabled", "false"},
	{"network.http.speculative-parallel-limit", "0"}, {"browser.urlbar.speculativeConnect.enabled", "false"},
	{"network.captive-portal-service.enabled", "false"}, {"network.connectivity-service.enabled", "false"},
	{"dom.security.https_first", "false"}, {"dom.security.https_only_mode", "false"},
	// No reports, no updates, no lists of dangerous sites, no pages of its own.
	{"toolkit.telemetry.enabled", "false"}, {"toolkit.telemetry.unified", "false"}, {"toolkit.telemetry.server", `""`},
	{"datareporting.healthreport.uploadEnabled", "false"}, {"datareporting.policy.dataSubmissionEnabled", "false"},
	{"datareporting.usage.uploadEnabled", "false"},
	{"app.normandy.enabled", "false"}, {"app.shield.optoutstudies.enabled", "false"}, {"nimbus.rollouts.enabled", "false"},
	{"app.update.enabled", "false"}, {"extensions.update.enabled", "false"}, {"extensions.systemAddon.update.enabled", "false"},
	{"extensions.getAddons.cache.enabled", "false"}, {"browser.search.update", "false"}, {"media.gmp-manager.updateEnabled", "false"},
	{"services.settings.server", `"data:,#"`}, {"security.remote_settings.crlite_filters.enabled", "false"},
	{"security.OCSP.enabled", "0"}, {"browser.region.update.enabled", "false"}, {"geo.provider.network.url", `""`},
	{"browser.safebrowsing.malware.enabled", "false"}, {"browser.safebrowsing.phishing.enabled", "false"},
	{"browser.safebrowsing.downloads.enabled", "false"}, {"browser.safebrowsing.update.enabled", "false"},
	{"browser.shell.checkDefaultBrowser", "false"}, {"browser.aboutwelcome.enabled", "false"},
	{"browser.startup.page", "0"}, {"browser.startup.homepage", `"about:blank"`}, {"browser.startup.homepage_override.mstone", `"ignore"`},
	{"browser.newtabpage.enabled", "false"}, {"browser.newtab.preload", "false"}, {"startup.homepage_welcome_url", `""`},
	{"browser.chrome.site_icons", "false"}, {"browser.chrome.favicons", "false"}, {"browser.pagethumbnails.capturing_disabled", "true"},
	{"browser.tabs.warnOnClose", "false"}, {"browser.sessionstore.resume_from_crash", "false"}, {"browser.tabs.unloadOnLowMemory", "false"},
	{"print.always_print_silent", "true"}, {"print_printer", `"Mozilla Save to PDF"`},
	{"print.printer_Mozilla_Save_to_PDF.print_to_file", "true"},
	{"signon.rememberSignons", "false"}, {"signon.autofillForms", "false"}, {"extensions.formautofill.addresses.enabled", "false"},
	{"browser.translations.enable", "false"}, {"permissions.default.desktop-notification", "2"}, {"permissions.default.geo", "2"},
	{"permissions.default.camera", "2"}, {"permissions.default.microphone", "2"}, {"media.volume_scale", `"0.0"`},
	{"browser.download.alwaysOpenPanel", "false"}, {"browser.helperApps.deleteTempFileOnExit", "true"},
	// Pages behave the same every time: no page comes back from memory with its old
	// agent world, windows open when a page asks for them, nothing slides, scrollbars
	// are as wide as in the other engines.
	{"fission.bfcacheInParent", "false"}, {"browser.sessionhistory.max_total_viewers", "0"},
	{"dom.disable_open_during_load", "false"}, {"dom.popup_maximum", "-1"},
	{"ui.prefersReducedMotion", "1"}, {"toolkit.cosmeticAnimations.enabled", "false"},
	{"dom.max_script_run_time", "0"}, {"dom.ipc.reportProcessHangs", "false"}, {"dom.ipc.tabs.shutdownTimeoutSecs", "1"},
	{"dom.ipc.processPrelaunch.enabled", "false"}, {"dom.ipc.processCount", "2"},
	{"widget.non-native-theme.enabled", "true"}, {"widget.non-native-theme.scrollbar.size.override", "15"},
	{"intl.accept_languages", `"en-US, en"`}, {"intl.locale.requested", `"en-US"`},
}

// userPrefs is the file from which Firefox takes its settings. What a page prints
// goes into a file of the profile at once: there is nobody to ask.
func userPrefs(o Options, dir string, workers bool) string {
	var b strings.Builder
	for _, p := range firefoxPrefs {
		fmt.Fprintf(&b, "user_pref(%q, %s);\n", p.name, p.value)
	}
	fmt.Fprintf(&b, "user_pref(\"print.printer_Mozilla_Save_to_PDF.print_to_filename\", %q);\n", filepath.Join(dir, "printed.pdf"))
	fmt.Fprintf(&b, "user_pref(\"dom.serviceWorkers.enabled\", %t);\n", workers)
	// Scrollbars that lie over the page take no room from it.
	fmt.Fprintf(&b, "user_pref(\"widget.gtk.overlay-scrollbars.enabled\", %t);\nuser_pref(\"ui.useOverlayScrollbars\", %d);\n",
		!o.Scrollbars, map[bool]int{false: 1, true: 0}[o.Scrollbars])
	return b.String()
}
