package results

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
)

// CutOff is the error of a scan whose process ended without a word.
const CutOff = "It was cut off: its process was ended, or the machine was. What it had found can be read."

// Bury ends the records of native scans below parent that say they are running when
// their process is not: alive tells, from what the record holds of it. It returns the
// names of those folders. A record that names no process is left alone.
func Bury(parent string, alive func(process json.RawMessage) bool) (buried []string, err error) {
	entries, err := os.ReadDir(parent)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, diskFault("look for scans that were cut off", err)
	}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		path := filepath.Join(parent, e.Name(), FileScan)
		raw, readErr := readBounded(path, maxScanFile)
		var s Scan
		if readErr != nil || json.Unmarshal(raw, &s) != nil || s.State != StateRunning || len(s.Process) == 0 || alive(s.Process) {
			continue
		}
		s.State, s.Process = StateFailed, nil
		if s.Error == "" { // else it had said why it ends, and the disk was full by then
			s.Error = CutOff
		}
		if info, statErr := os.Stat(filepath.Join(parent, e.Name(), fileProgress+".csv")); statErr == nil {
			s.End = info.ModTime() // the last that it wrote
		}
		text, encodeErr := encode(s)
		if encodeErr == nil {
			encodeErr = replaceFile(path, append(text, '\n'), 0o644)
		}
		if encodeErr != nil {
			err = errors.Join(err, diskFault("end the record of a scan that was cut off", encodeErr))
			continue
		}
		buried = append(buried, e.Name())
	}
	return buried, err
}
