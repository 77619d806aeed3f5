package hosted

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The programs that the tests run, and what all tests share.
var (
	legworkBin, hydraBin string
	node, clients        string
	practiceAddr         string // of the practice site
	auth0                *provider
	ory                  *hydra
)

func TestMain(m *testing.M) {
	code, err := share(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// share starts what all tests use, runs them, and ends it.
func share(m *testing.M) (code int, err error) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		return 1, err
	}
	clients, hydraBin = filepath.Join(root, "build", "clients"), filepath.Join(root, "build", "issuers", "hydra")
	node = filepath.Join(clients, "node")
	for _, file := range []string{node, hydraBin} {
		if _, err := os.Stat(file); err != nil {
			return 1, fmt.Errorf("%s is missing: run scripts/need-node.sh and scripts/need-hydra.sh first, as make test does", file)
		}
	}
	dir, err := os.MkdirTemp("", "legwork-hosted-*")
	if err != nil {
		return 1, err
	}
	defer os.RemoveAll(dir)
	legworkBin = filepath.Join(dir, "legwork")
	build := exec.Command("go", "build", "-o", legworkBin, "./cmd/legwork")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		return 1, fmt.Errorf("building the program: %w\n%s", err, out)
	}
	practice, err := startPractice()
	if err != nil {
		return 1, err
	}
	defer practice.stop()
	if auth0, err = startProvider(freeAddr(), ""); err != nil {
		return 1, err
	}
	defer auth0.stop()
	if ory, err = startHydra(filepath.Join(dir, "hydra")); err != nil {
		return 1, err
	}
	defer func() { ory.stop() }() // a test may have started it anew
	return m.Run(), nil
}
