package external

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// Install is an installation as it was found.
type Install struct {
	Root       string
	Contract   string         // results.ContractA, B or C
	Config     results.Config // its config_default.json
	ReportTime time.Duration  // how long its report script may take: 120 s
}

// The files of an installation that tell what it is.
const (
	program       = "cwac.py"
	exporter      = "export_report_data.py"
	defaultConfig = "config_default.json"
)

// Open looks at the installation in a folder.
func Open(root string) (*Install, error) {
	if info, err := os.Stat(filepath.Join(root, program)); err != nil || !info.Mode().IsRegular() {
		return nil, fault.New(fault.Unavailable, "cwac_not_found", "CWAC installation not found at "+root,
			"Set CWAC_PATH to the folder that holds cwac.py, or unset it to scan with the native engine.").WithCause(err)
	}
	path := filepath.Join(root, "config", defaultConfig)
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.New(fault.Unavailable, "cwac_config_not_found", "CWAC default config not found",
			"Restore config/config_default.json of the installation.").WithCause(err)
	}
	if err != nil {
		return nil, fmt.Errorf("read the default configuration of CWAC: %w", err)
	}
	config, err := results.ParseConfig(raw)
	if err != nil {
		return nil, fault.New(fault.Unavailable, "cwac_config_broken", "The default configuration of CWAC cannot be used: "+err.Error(),
			"Correct config/config_default.json of the installation.").WithCause(err)
	}
	return &Install{Root: root, Contract: contractOf(root, raw), Config: config, ReportTime: exportTime}, nil
}

// contractOf tells the contract of an installation: C has no report script; of those
// that have one, B is configured in the run's own configuration.
func contractOf(root string, config []byte) string {
	if info, err := os.Stat(filepath.Join(root, exporter)); err != nil || !info.Mode().IsRegular() {
		return results.ContractC
	}
	var keys map[string]json.RawMessage
	if json.Unmarshal(trimBOM(config), &keys) == nil && keys["reporting"] != nil {
		return results.ContractB
	}
	return results.ContractA
}

func trimBOM(raw []byte) []byte {
	if len(raw) >= 3 && string(raw[:3]) == "\ufeff" {
		return raw[3:]
	}
	return raw
}

// Command runs the configuration of this name with an interpreter.
func (i *Install) Command(python, config string) []string {
	return []string{python, "-u", program, config}
}
