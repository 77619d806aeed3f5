package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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
	// The network stack in the browser's process: every byte of a page crosses one
	// process less, 2 to 5 % of a run's CPU time. On Linux it has no sandbox of its own either way.
	"--enable-features=NetworkServiceInProcess2",
	// Nothing may go around the network guard: no QUIC, no WebRTC over UDP, no
	// name lookups ahead of time, no silent change of http to https.
	"--disable-quic", "--dns-prefetch-disable",
	"--force-webrtc-ip-handling-policy=disable_non_proxied_udp", "--webrtc-ip-handling-policy=disable_non_proxied_udp",
	// Pages restored from the back/forward cache keep their old agent world in
	// one binary and not in the other. RenderDocument makes a new frame in the renderer for
	// each page of the same site: an eighth of a run's CPU time, for nothing that is seen here.
	"--disable-features=BackForwardCache,Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,Prerender2," +
		"HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,AutofillServerCommunication,CertificateTransparencyComponentUpdater," +
		"InterestFeedContentSuggestions,GlobalMediaControls,ImprovedCookieControls,DestroyProfileOnBrowserClose,AcceptCHFrame,RenderDocument",
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

func flags(o Options, headed bool, profileDir string) []string {
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
func (e *chromium) launch(ctx context.Context, o Options, headed bool) error {
	b, err := findBinary(o.Engine, headed)
	if err != nil {
		return err
	}
	p, err := newProcess(b.path, o.DataDir)
	if err != nil {
		return err
	}
	e.body = p
	if err := e.spawn(p, flags(o, headed, p.profile.dir)); err != nil {
		p.profile.remove()
		return notStarted(p, err)
	}
	ctx, cancel := context.WithTimeout(ctx, launchLimit)
	defer cancel()
	version, err := call(ctx, e.root, cdpbrowser.GetVersion, cdp.Empty{})
	if err != nil {
		e.kill()
		if ctx.Err() != nil && !errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return interrupted(ctx, "starting the browser")
		}
		return notStarted(p, err)
	}
	e.agent = version.UserAgent
	return nil
}

func notStarted(p *process, cause error) error {
	message := "The browser " + filepath.Base(p.path) + " did not start."
	action := "Start it by hand to see why: " + p.path + " --headless --dump-dom about:blank"
	if strings.Contains(p.output.String(), "sandbox") {
		message += " The system does not allow its sandbox."
		action = "Allow unprivileged user namespaces, or switch the browser's sandbox off if the container is the sandbox."
	}
	if noScreen(p.output) {
		message, action = message+screenMissing, screenAdvice
	}
	return fault.New(fault.Unavailable, "browser_unavailable", message, action).
		WithCause(fmt.Errorf("%w; output: %s", cause, p.output))
}

// spawn starts the process with the two ends of its pipes as files 3 and 4.
func (e *chromium) spawn(p *process, args []string) error {
	path, err := filepath.Abs(p.path) // it is started in another folder than this program's
	if err != nil {
		return fmt.Errorf("finding the browser: %w", err)
	}
	theirIn, ourOut, err := os.Pipe()
	if err != nil {
		return err
	}
	ourIn, theirOut, err := os.Pipe()
	if err != nil {
		return errors.Join(err, theirIn.Close(), ourOut.Close())
	}
	e.conn = newConn(ourIn, ourOut)
	e.root = e.conn.open("", nil, nil)
	cmd := exec.Command(path, args...)
	cmd.ExtraFiles = []*os.File{theirIn, theirOut}
	// Full Chromium makes a folder for a socket among the temporary files, which stays when
	// it is killed, and ends at once when the path of the socket has more than 107 bytes.
	cmd.Dir = p.profile.dir
	cmd.Env = append(cmd.Environ(), "TMPDIR=.")
	err = p.start(cmd, e.conn.close)
	_, _ = theirIn.Close(), theirOut.Close()
	if err != nil {
		e.conn.close()
	}
	return err
}
