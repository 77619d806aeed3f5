package external

import (
	"strings"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
)

// Cause is why a run of CWAC failed, in one line, and what to do about it.
type Cause struct {
	Type, Text, Action string
}

// signs are the marks of known failures in what CWAC prints to stderr, the most
// special first. They are the words of Python, Selenium and Chrome as observed.
var signs = []struct {
	pattern *lazyregexp.Regexp
	cause   Cause
}{
	{lazyregexp.New(`No space left on device`), Cause{"disk_full", "The disk is full.", "Free space on the disk of the CWAC installation, then scan again."}},
	{lazyregexp.New(`SyntaxError`), Cause{"python_too_old", "The Python interpreter is too old for CWAC.", "CWAC needs Python 3.12 or newer: set LEGWORK_CWAC_PYTHON, or make a .venv in the installation."}},
	{lazyregexp.New(`ModuleNotFoundError: No module named '(?:src|plugins|audit)[^']*'`), Cause{"unknown_plugin", "An audit plugin is switched on that this CWAC does not have.", "Leave it out of plugins."}},
	{lazyregexp.New(`(?:ModuleNotFoundError|ImportError)`), Cause{"python_package_missing", "A Python package that CWAC needs is not installed.", "Install the installation's requirements into the interpreter that runs it."}},
	{lazyregexp.New(`(?i)(?:Resource cmudict not found|Resource \S*cmudict\S* not found|nltk\.download|LookupError)`), Cause{"language_data_missing", "The language audit has no data (NLTK's cmudict).", "Download the NLTK data into the installation's nltk_data folder, or switch language_audit off."}},
	{lazyregexp.New(`(?i)only supports Chrome version|session not created: This version`), Cause{"browser_version", "Chrome and chromedriver have different versions.", "Install the same version of both; chrome_binary_location and chrome_driver_location of config_default.json name them."}},
	{lazyregexp.New(`DevToolsActivePort file doesn't exist|Chrome failed to start`), Cause{"browser_start", "Chrome did not start.", "As root it needs --no-sandbox: set CHROME_EXTRA_ARGS, or point chrome_binary_location at a wrapper that adds it."}},
	{lazyregexp.New(`(?i)needs to be in PATH|Unable to locate or obtain driver|chromedriver\S* (?:not found|executable may have wrong permissions)`), Cause{"chromedriver_missing", "chromedriver was not found.", "Install it, or set chrome_driver_location in config_default.json."}},
	{lazyregexp.New(`(?m)^#\d+ 0x[0-9a-f]+`), Cause{"browser_missing", "chromedriver could not start Chrome: it is not installed, or cannot run here.", "Install Chrome, or set chrome_binary_location in config_default.json."}},
	{lazyregexp.New(`(?i)config_filename must be`), Cause{"config_name", "CWAC refused the name of the configuration file.", "This is a defect of legwork: report it."}},
	{lazyregexp.New(`CSV files must have 3 columns`), Cause{"csv_columns", "A base URL file does not have three columns.", "Look at the other files in the folder of base URLs."}},
	{lazyregexp.New(`FileNotFoundError.*config`), Cause{"config_missing", "The configuration file of the scan was not there.", "Something removed it: scan again."}},
	{lazyregexp.New(`FileNotFoundError.*base_urls`), Cause{"base_urls_missing", "The folder of base URLs was not there.", "Restore base_urls/nohead of the installation, then scan again."}},
	{lazyregexp.New(`ValueError.*base_urls`), Cause{"base_urls_outside", "The folder of base URLs is outside of the installation.", "base_urls of the installation must be a folder, not a link to elsewhere."}},
	{lazyregexp.New(`KeyError`), Cause{"config_key", "The configuration lacks a key that this CWAC needs.", "Restore config/config_default.json of the installation."}},
	{lazyregexp.New(`PermissionError`), Cause{"permission", "CWAC may not write into its folders.", "Give the user of legwork access to config, base_urls and results of the installation."}},
	{lazyregexp.New(`MemoryError|Cannot allocate memory`), Cause{"memory", "There was not enough memory.", "Lower thread_count in config_default.json, or scan fewer pages."}},
}

// CauseOf reads the cause of a failed run from the last lines of its stderr.
func CauseOf(stderr []string) Cause {
	all := strings.Join(stderr, "\n")
	for _, s := range signs {
		if s.pattern.MatchString(all) {
			return s.cause
		}
	}
	if last := lastError(stderr); last != "" {
		return Cause{"cwac_failed", "CWAC ended with: " + last, "The stderr of the answer and the log in the results folder say more."}
	}
	return Cause{"cwac_failed", "CWAC ended without a word.", "The log in the results folder may say more."}
}

// lastError is the last line that looks like the end of a traceback.
func lastError(lines []string) string {
	for i := len(lines) - 1; i >= 0; i-- {
		if l := strings.TrimSpace(lines[i]); l != "" && l == lines[i] {
			return l
		}
	}
	return ""
}
