package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// baseFlags make Chromium quiet, repeatable and unable to talk to anyone but
// the pages that it is told to load.
var baseFlags = []string{
	"--remote-debugging-pipe",
	"--no-first-run", "--no-default-browser-check", "--no-startup-window",
	"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-default-apps",
	"--disable-extensions", "--disable-component-extensions-with-background-pages",
	"--disable-breakpad", "--disable-crash-reporter", "--metrics-recording-only", "--no-pings",
	"--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding",
	"--disable-ipc-flooding-protection", "--disable-hang-monitor", "--disable-popup-blocking", "--disable-prompt-on-repost",
	"--deny-permission-prompts", "--disable-search-engine-choice-screen", "--disable-infobars",
	"--password-store=basic", "--use-mock-keychain",
	"--force-color-profile=srgb", "--mute-audio", "--lang=en-US",
	// For all pages: to set it for each has their styles worked out once more when
	// they are left.
	"--force-prefers-reduced-motion",
	// Nothing may go around the network guard: no QUIC, no WebRTC over UDP, no
	// name lookups ahead of time, no silent change of http to https.
	"--disable-quic", "--dns-prefetch-disable",
	"--force-webrtc-ip-handling-policy=disable_non_proxied_udp", "--webrtc-ip-handling-policy=disable_non_proxied_udp",
	// Pages restored from the back/forward cache keep their old agent world in
	// one binary and not in the other.
	"--disable-features=BackForwardCache,Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,Prerender2," +
		"HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,AutofillServerCommunication,CertificateTransparencyComponentUpdater," +
		"InterestFeedContentSuggestions,GlobalMediaControls,ImprovedCookieControls,DestroyProfileOnBrowserClose,AcceptCHFrame",
}

// process is one running browser.
type process struct {
	binary  binary
	conn    *conn
	root    *session
	agent   string // its User-Agent
	cmd     *exec.Cmd
	profile *profile
	exited  chan struct{} // closed when the process has ended and its profile is gone
	output  *tail
}

// launchLimit is how long a browser may take until it answers for the first time.
const launchLimit = time.Minute

// sandboxed tells whether the browser keeps its pages in its sandbox.
func sandboxed(o Options) bool {
	if o.Sandbox != nil {
		return *o.Sandbox
	}
	return !isRoot()
}

func flags(b binary, o Options, headed bool, profileDir string) []string {
	args := append([]string{}, baseFlags...)
	if !headed {
		args = append(args, "--headless", "--disable-gpu", "--window-size=1280,900")
	}
	if !o.Scrollbars {
		args = append(args, "--hide-scrollbars")
	}
	if !sandboxed(o) {
		args = append(args, "--no-sandbox")
	}
	return append(args, "--user-data-dir="+profileDir)
}

// launch starts a browser and waits for its first answer.
func launch(ctx context.Context, o Options, headed bool) (*process, error) {
	b, err := findBinary(o.Engine, headed)
	if err != nil {
		return nil, err
	}
	p := &process{binary: b, exited: make(chan struct{}), output: &tail{}}
	if p.profile, err = newProfile(o.DataDir); err != nil {
		return nil, fault.New(fault.Unavailable, "browser_unavailable", "The browser's temporary folder could not be made.",
			"Make sure that the temporary folder exists, is writable and has space.").WithCause(err)
	}
	if err := p.spawn(flags(b, o, headed, p.profile.dir)); err != nil {
		p.profile.remove()
		return nil, notStarted(p, err)
	}
	ctx, cancel := context.WithTimeout(ctx, launchLimit)
	defer cancel()
	version, err := call(ctx, p.root, cdpbrowser.GetVersion, cdp.Empty{})
	if err != nil {
		p.kill()
		if ctx.Err() != nil && !errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return nil, interrupted(ctx, "starting the browser")
		}
		return nil, notStarted(p, err)
	}
	p.agent = version.UserAgent
	return p, nil
}

func notStarted(p *process, cause error) error {
	message := "The browser " + filepath.Base(p.binary.path) + " did not start."
	action := "Start it by hand to see why: " + p.binary.path + " --headless --dump-dom about:blank"
	if strings.Contains(p.output.String(), "sandbox") {
		message += " The system does not allow its sandbox."
		action = "Allow unprivileged user namespaces, or switch the browser's sandbox off if the container is the sandbox."
	}
	if strings.Contains(p.output.String(), "Missing X server") {
		message += " There is no screen to show its window on."
		action = "Run without a window, or start it in a desktop session or under a virtual screen such as Xvfb."
	}
	return fault.New(fault.Unavailable, "browser_unavailable", message, action).
		WithCause(fmt.Errorf("%w; output: %s", cause, p.output))
}

// spawn starts the process with the two ends of its pipes as files 3 and 4.
func (p *process) spawn(args []string) error {
	theirIn, ourOut, err := os.Pipe()
	if err != nil {
		return err
	}
	ourIn, theirOut, err := os.Pipe()
	if err != nil {
		return errors.Join(err, theirIn.Close(), ourOut.Close())
	}
	p.cmd = exec.Command(p.binary.path, args...)
	p.cmd.ExtraFiles = []*os.File{theirIn, theirOut}
	p.cmd.Stdout, p.cmd.Stderr = p.output, p.output
	p.cmd.SysProcAttr = ownGroup()
	p.cmd.WaitDelay = time.Second // children may hold the output open
	err = p.cmd.Start()
	_, _ = theirIn.Close(), theirOut.Close()
	if err != nil {
		return errors.Join(err, ourIn.Close(), ourOut.Close())
	}
	p.conn = newConn(ourIn, ourOut)
	p.root = p.conn.open("", nil, nil)
	go p.reap()
	return nil
}

// reap waits for the process, then ends what is left of it. kill waits for reap.
func (p *process) reap() {
	defer close(p.exited)
	_ = p.cmd.Wait()
	endGroup(p.cmd.Process)
	p.conn.close()
	p.profile.remove()
}

// kill ends the process with its children at once and waits until its profile
// is gone. The profile is temporary, so nothing is lost.
func (p *process) kill() {
	select {
	case <-p.exited: // its number may belong to someone else by now
		return
	default:
	}
	killGroup(p.cmd.Process)
	<-p.exited
}

func (p *process) alive() bool {
	select {
	case <-p.exited:
		return false
	case <-p.conn.done:
		return false
	default:
		return true
	}
}

// tail keeps the last lines that the browser printed, for the log.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const tailSize = 2048

// Write keeps the end of b and never fails.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	if extra := len(t.text) - tailSize; extra > 0 {
		t.text = append([]byte{}, t.text[extra:]...)
	}
	return len(b), nil
}

// String returns what was kept.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.ToValidUTF8(string(t.text), "")
}
