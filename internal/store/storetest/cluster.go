package storetest

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// superuser owns the cluster.
const superuser = "legwork"

// programs are where Debian, Homebrew and others put initdb and postgres, which
// Debian keeps out of the search path.
var programs = []string{"/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql*/bin", "/usr/local/opt/postgresql*/bin"}

// keeper runs the server for as long as its standard input is open, which ends
// with the test binary however that ends.
// Only the server keeps standard error, so that its end is seen there.
const keeper = `"$@" <&- & server=$!
exec 2>/dev/null
read -r _
kill -INT "$server"
wait "$server"`

// settings make the cluster private, and quick where a crash would only cost a test.
var settings = []string{
	"-c", "listen_addresses=", "-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off",
	"-c", "max_connections=60", "-c", "shared_buffers=32MB", "-c", "log_min_messages=warning",
}

// cluster is a running Postgres.
type cluster struct {
	sockets string // the folder of its socket
	server  *exec.Cmd
	stdin   io.Closer
	said    <-chan string // everything that the server said, once it has ended
}

// startCluster makes a cluster in dir and returns when it takes connections.
// Postgres refuses to run as root; then it runs as another user.
func startCluster(dir string) (*cluster, error) {
	bin, err := findPrograms()
	if err != nil {
		return nil, err
	}
	data := filepath.Join(dir, "data")
	if err := os.Mkdir(data, 0o700); err != nil {
		return nil, err
	}
	owner, err := chooseOwner(dir, data)
	if err != nil {
		return nil, err
	}
	initdb := exec.Command(filepath.Join(bin, "initdb"), "-D", data, "-U", superuser, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
	initdb.SysProcAttr, initdb.Dir = owner, dir
	if out, err := initdb.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w: %s", err, out)
	}
	args := slices.Concat([]string{"-c", keeper, "keeper", filepath.Join(bin, "postgres"), "-D", data, "-k", dir}, settings)
	c := &cluster{sockets: dir, server: exec.Command("/bin/sh", args...)}
	c.server.SysProcAttr, c.server.Dir = owner, dir
	return c, c.start()
}

// start starts the server and waits for the line that says it is ready.
func (c *cluster) start() error {
	stdin, err := c.server.StdinPipe()
	if err != nil {
		return err
	}
	stderr, err := c.server.StderrPipe()
	if err != nil {
		return err
	}
	if err := c.server.Start(); err != nil {
		return err
	}
	c.stdin = stdin
	ready, said := make(chan struct{}), make(chan string, 1)
	go listen(stderr, ready, said)
	c.said = said
	select {
	case <-ready:
		return nil
	case text := <-said:
		_ = stdin.Close() // lets the keeper end too
		return fmt.Errorf("the server ended: %w: %s", c.server.Wait(), text)
	}
}

// listen reads what the server says until it ends, and closes ready when it says
// that it takes connections.
func listen(stderr io.Reader, ready chan<- struct{}, said chan<- string) {
	var all strings.Builder
	lines := bufio.NewScanner(stderr)
	for told := false; lines.Scan(); {
		fmt.Fprintln(&all, lines.Text())
		if !told && strings.Contains(lines.Text(), "ready to accept connections") {
			told = true
			close(ready)
		}
	}
	said <- all.String()
}

// stop ends the server and waits for it.
func (c *cluster) stop() error {
	err := c.stdin.Close()
	<-c.said
	return errors.Join(err, c.server.Wait())
}

// findPrograms is the folder of the newest initdb.
func findPrograms() (string, error) {
	var found []string
	for _, pattern := range programs {
		dirs, err := filepath.Glob(pattern)
		if err != nil {
			return "", err
		}
		for _, dir := range dirs {
			if _, err := os.Stat(filepath.Join(dir, "initdb")); err == nil {
				found = append(found, dir)
			}
		}
	}
	if len(found) > 0 {
		return found[len(found)-1], nil
	}
	path, err := exec.LookPath("initdb")
	if err != nil {
		return "", errors.New("there is no initdb: run scripts/need-postgres.sh")
	}
	real, err := filepath.EvalSymlinks(path)
	return filepath.Dir(real), err
}
