package browser

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser/webdriver"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// webkitProcess is the driver of one tab, with the browser that it started and the
// screen that the browser draws on. All are in one process group and end together,
// whichever of them ends first: a driver has one session, and a tab shares nothing.
type webkitProcess struct {
	kind    webkitKind
	profile *profile
	leader  *exec.Cmd // of the group: the screen if there is one, else the driver
	display string
	client  *webdriver.Client
	http    *http.Client
	output  *tail

	// Of a tab whose driver somebody else started; there is no profile and no group then.
	seat  *webkitSeat
	lent  *webdriver.Session // that is given back in the end
	asked chan struct{}      // closed when the driver was asked for it

	ending  sync.Once
	running sync.WaitGroup
	dying   chan struct{} // closed when one of the group has ended, or all are about to
	exited  chan struct{} // closed when all of the group is gone
}

// startWebKit starts the programs and waits until the driver can make a session.
func startWebKit(ctx context.Context, k webkitKind, o Options, t TabOptions) (*webkitProcess, error) {
	p := &webkitProcess{kind: k, output: &tail{more: make(chan struct{}, 1)}, dying: make(chan struct{}), exited: make(chan struct{})}
	adoptOrphans()
	var err error
	if p.profile, err = newProfile(o.DataDir); err != nil {
		return nil, fault.New(fault.Unavailable, "browser_unavailable", "The browser's temporary folder could not be made.",
			"Make sure that the temporary folder exists, is writable and has space.").WithCause(err)
	}
	if err = p.calm(); err != nil {
		p.profile.remove()
		return nil, p.notStarted(ctx, err)
	}
	ctx, cancel := context.WithTimeout(ctx, launchLimit)
	defer cancel()
	if k.screen != "" {
		err = p.startScreen(ctx)
	}
	if err == nil {
		err = p.startDriver(ctx, t)
	}
	if p.leader == nil {
		p.profile.remove()
		return nil, p.notStarted(ctx, err)
	}
	go p.reap()
	if err != nil {
		p.kill()
		return nil, p.notStarted(ctx, err)
	}
	return p, nil
}

func (p *webkitProcess) notStarted(ctx context.Context, cause error) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return interrupted(ctx, "starting the browser")
	}
	if p.seat != nil {
		return p.seat.fault(cause)
	}
	message, action := "The browser "+p.kind.name+" did not start.", "Start its driver by hand to see why: "+p.kind.driver+" --port=4444"
	switch {
	case p.kind.screen == "" && noScreen(p.output):
		message, action = message+screenMissing, screenAdvice
	case errors.Is(cause, errScreen):
		message += " The screen that it draws on, Xvfb, did not."
		action = "Start it by hand to see why: " + p.kind.screen + " -displayfd 1; it needs a folder /tmp/.X11-unix that it can write to."
	}
	return fault.New(fault.Unavailable, "browser_unavailable", message, action).WithCause(fmt.Errorf("%w; output: %s", cause, p.output))
}

// spawn starts a program in the group of the tab.
func (p *webkitProcess) spawn(cmd *exec.Cmd) error {
	cmd.Stdout, cmd.Stderr = p.output, p.output
	cmd.WaitDelay = time.Second // children may hold the output open
	cmd.SysProcAttr = ownGroup()
	if p.leader != nil {
		joinGroup(cmd.SysProcAttr, p.leader.Process.Pid)
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("starting %s: %w", filepath.Base(cmd.Path), err)
	}
	if p.leader == nil {
		p.leader = cmd
	}
	p.running.Go(func() {
		_ = cmd.Wait()
		p.end()
	})
	return nil
}

// screenSize is that of the screen that nobody sees. Windows may be larger. A window
// that covers its middle, where the pointer rests, has the focus, since no window
// manager gives it: no window can be smaller than half of this.
const screenSize = "640x480x24"

// errScreen: the screen ended before it told its number.
var errScreen = errors.New("reading the number of the screen")

// startScreen starts an X server that picks its own number and that only those with
// the cookie in the profile may use.
func (p *webkitProcess) startScreen(ctx context.Context) error {
	ours, theirs, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("making a pipe: %w", err)
	}
	defer ours.Close()
	secret := filepath.Join(p.profile.dir, "xauthority")
	if err := os.WriteFile(secret, xauthority(), 0o600); err != nil {
		return errors.Join(fmt.Errorf("writing the key of the screen: %w", err), theirs.Close())
	}
	cmd := exec.Command(p.kind.screen, "-displayfd", "3", "-screen", "0", screenSize, "-nolisten", "tcp", "-noreset", "-auth", secret)
	cmd.ExtraFiles = []*os.File{theirs}
	err = p.spawn(cmd)
	_ = theirs.Close()
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { _ = ours.Close() })
	defer stop()
	number, err := bufio.NewReader(ours).ReadString('\n')
	if err != nil {
		return fmt.Errorf("%w: %w", errScreen, err)
	}
	p.display = ":" + strings.TrimSpace(number)
	return nil
}

func (p *webkitProcess) startDriver(ctx context.Context, t TabOptions) error {
	port, err := freePort()
	if err != nil {
		return err
	}
	cmd := exec.Command(p.kind.driver, "--host=127.0.0.1", fmt.Sprintf("--port=%d", port))
	cmd.Dir = p.profile.dir
	cmd.Env = append(cmd.Environ(), p.environment(t)...)
	if err := p.spawn(cmd); err != nil {
		return err
	}
	p.http = &http.Client{Transport: &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 4}}
	p.client = webdriver.New(fmt.Sprintf("http://127.0.0.1:%d", port), p.http)
	return p.listening(ctx)
}

// calm switches animations off, as a visitor who prefers reduced motion does.
func (p *webkitProcess) calm() error {
	dir := filepath.Join(p.profile.dir, "gtk-3.0")
	if err := os.Mkdir(dir, 0o700); err != nil {
		return fmt.Errorf("making the settings of the browser: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "settings.ini"), []byte("[Settings]\ngtk-enable-animations=0\n"), 0o600); err != nil {
		return fmt.Errorf("writing the settings of the browser: %w", err)
	}
	return nil
}

// listening waits until the driver answers; nothing tells when it does.
func (p *webkitProcess) listening(ctx context.Context) error {
	ask := time.NewTicker(10 * time.Millisecond)
	defer ask.Stop()
	for {
		if s, err := p.client.Status(ctx); err == nil && s.Ready {
			return nil
		}
		select {
		case <-ask.C:
		case <-p.dying:
			return errors.New("the driver or its screen ended")
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// freePort is a port of loopback that nobody listens at. The driver cannot be handed
// an open listener, and does not tell which port it took.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("looking for a free port: %w", err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	return port, l.Close()
}

// localeOf is the name of a tab's language for the system.
func localeOf(t TabOptions) string { return strings.ReplaceAll(t.Locale, "-", "_") + ".UTF-8" }

// environment keeps the browser to its profile and away from the desktop's services,
// and gives it the language and the time zone, which the protocol cannot.
func (p *webkitProcess) environment(t TabOptions) []string {
	dir := p.profile.dir
	locale := localeOf(t)
	list := []string{
		"HOME=" + dir, "TMPDIR=" + dir, "XDG_RUNTIME_DIR=" + dir, "XDG_CACHE_HOME=" + dir, "XDG_CONFIG_HOME=" + dir, "XDG_DATA_HOME=" + dir,
		"LANG=" + locale, "LC_ALL=" + locale, "LANGUAGE=", "TZ=" + t.Timezone,
		"DBUS_SESSION_BUS_ADDRESS=disabled:", "DBUS_SYSTEM_BUS_ADDRESS=disabled:", "NO_AT_BRIDGE=1", "GSETTINGS_BACKEND=memory", "GIO_USE_VFS=local",
		"LIBGL_ALWAYS_SOFTWARE=1", "MESA_SHADER_CACHE_DISABLE=true",
		"http_proxy=", "https_proxy=", "all_proxy=", "no_proxy=", "HTTP_PROXY=", "HTTPS_PROXY=", "ALL_PROXY=", "NO_PROXY=",
	}
	if p.display != "" {
		list = append(list, "DISPLAY="+p.display, "XAUTHORITY="+filepath.Join(dir, "xauthority"), "GDK_BACKEND=x11", "WAYLAND_DISPLAY=")
	}
	return list
}

// newSession asks the driver for its session. It waits for a browser that found no screen
// and has ended, but what that printed tells.
func (p *webkitProcess) newSession(ctx context.Context, caps webdriver.Capabilities) (*webdriver.Session, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() { // until this function has returned
		for ctx.Err() == nil {
			select {
			case <-p.output.more:
				if noScreen(p.output) {
					cancel(errors.New("the browser found no screen"))
				}
			case <-ctx.Done():
			}
		}
	}()
	s, err := p.client.NewSession(ctx, caps)
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return s, err
}

// end ends the whole group, once one of it has ended or is not wanted any more.
func (p *webkitProcess) end() {
	p.ending.Do(func() {
		if p.leader != nil {
			killGroup(p.leader.Process)
		}
		close(p.dying)
	})
}

// reap waits until the group is gone. kill waits for reap.
func (p *webkitProcess) reap() {
	defer close(p.exited)
	p.running.Wait()
	endGroup(p.leader.Process)
	reapGroup(p.leader.Process)
	if p.http != nil {
		p.http.CloseIdleConnections()
	}
	p.profile.remove()
}

// kill ends the group at once and waits until the profile is gone too.
func (p *webkitProcess) kill() {
	p.end()
	<-p.exited
}

// pid is the number of the group, 0 when it is on another machine.
func (p *webkitProcess) pid() int {
	if p.leader == nil {
		return 0
	}
	return p.leader.Process.Pid
}

func (p *webkitProcess) runs() bool {
	select {
	case <-p.exited:
		return false
	default:
		return true
	}
}
