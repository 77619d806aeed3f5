package data_test

import (
	"os"
	"testing"

	"github.com/legwork-mcp/legwork/internal/store/storetest"
)

var databases storetest.Databases

func TestMain(m *testing.M) {
	if os.Getenv(victimMoment) != "" {
		os.Exit(m.Run()) // the process that is killed uses its parent's databases
	}
	os.Exit(databases.Run(m))
}
