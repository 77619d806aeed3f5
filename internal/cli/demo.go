package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/practice"
	"github.com/legwork-mcp/legwork/internal/runner"
	"github.com/legwork-mcp/legwork/internal/serve"
)

// demoWizard is the form that the demo runs.
const demoWizard = "fsa-estimator"

type demoCmd struct {
	Out    string `default:"legwork-demo" type:"path" placeholder:"DIR" help:"Folder for report.html and answer.json (${default})."`
	Engine string `placeholder:"NAME" help:"chromium, chromium-headless-shell, firefox or webkit. Default: what is installed, the light one first."`
}

// Run does the main job: practice site and hosted runner on loopback, an MCP
// client over Streamable HTTP, the FSA estimator with its example data, and the
// comparison with what the site really received.
func (c demoCmd) Run(ctx context.Context, a *app) error {
	began := time.Now()
	if err := makeOut(c.Out); err != nil {
		return err
	}
	a.override("browser_engine", c.Engine)
	kit, err := a.open()
	if err != nil {
		return err
	}
	defer kit.close(ctx)
	d := &demo{app: a, kit: kit, out: c.Out}
	if err := d.run(ctx); err != nil {
		return err
	}
	d.say("done in %.1f s", time.Since(began).Seconds())
	for _, check := range d.checks {
		if !check.OK {
			return quiet(fault.ExitFailed)
		}
	}
	return nil
}

// demo is one demonstration under way.
type demo struct {
	*app
	kit    *kit
	out    string
	client *mcp.ClientSession
	checks []runner.Check
}

func (d *demo) say(format string, args ...any) {
	fmt.Fprintf(d.std.Out, format+"\n", args...)
}

func (d *demo) check(ok bool, name, note string) {
	mark := "ok  "
	if !ok {
		mark = "FAIL"
	}
	line := name
	if note != "" {
		line += " (" + note + ")"
	}
	d.say("  %s %s", mark, line)
	d.checks = append(d.checks, runner.Check{Name: name, OK: ok, Note: note})
}

func (d *demo) run(ctx context.Context) error {
	site, err := d.kit.site()
	if err != nil {
		return err
	}
	d.say("practice site  %s", site.URL())
	stop, err := d.serve(ctx)
	if err != nil {
		return err
	}
	defer stop()

	info, err := d.contract(ctx)
	if err != nil {
		return err
	}
	data, err := json.Marshal(info.Example)
	if err != nil {
		return err
	}
	if err := d.validate(ctx, data); err != nil {
		return err
	}
	answer, images, err := d.execute(ctx, data)
	if err != nil {
		return err
	}
	d.compare(answer, data, site.Site)
	return d.write(info.Name, answer, images)
}

// serve starts the hosted runner and connects to it as any client would.
func (d *demo) serve(ctx context.Context) (stop func(), err error) {
	ctx, cancel := context.WithCancel(ctx)
	on, err := d.kit.named([]string{runnerName})
	if err != nil {
		cancel()
		return nil, err
	}
	srv, err := serve.New(d.kit.serveOptions(on))
	if err != nil {
		cancel()
		return nil, err
	}
	ln, err := srv.Listen(ctx, "127.0.0.1:0")
	if err != nil {
		cancel()
		return nil, err
	}
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(ctx, ln) }()
	url := "http://" + ln.Addr().String() + "/"
	d.say("hosted runner  %s", url)
	client := mcp.NewClient(&mcp.Implementation{Name: "legwork-demo", Version: Version()}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
			d.say("  .. %s", req.Params.Message)
		},
	})
	d.client, err = client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: url, MaxRetries: -1}, nil)
	if err != nil {
		cancel()
		<-ended
		return nil, fmt.Errorf("connecting to the hosted runner: %w", err)
	}
	return func() {
		_ = d.client.Close() // the server goes away next
		cancel()
		<-ended
	}, nil
}

// call calls a tool and decodes its structured answer into out.
func (d *demo) call(ctx context.Context, name string, args, out any) (*mcp.CallToolResult, error) {
	params := &mcp.CallToolParams{Name: name, Arguments: args}
	params.SetProgressToken(name)
	res, err := d.client.CallTool(ctx, params)
	if err != nil {
		return nil, fmt.Errorf("calling %s: %w", name, err)
	}
	raw, err := json.Marshal(res.StructuredContent)
	if err != nil {
		return nil, err
	}
	return res, json.Unmarshal(raw, out)
}

func (d *demo) contract(ctx context.Context) (info runner.WizardInfoOut, err error) {
	var all runner.ListWizardsOut
	if _, err := d.call(ctx, "federalrunner_list_wizards", map[string]any{}, &all); err != nil {
		return info, err
	}
	d.say("\n%d wizards", all.Count)
	for _, w := range all.Wizards {
		d.say("  %-30s %s", w.WizardID, w.Name)
	}
	_, err = d.call(ctx, "federalrunner_get_wizard_info", map[string]any{"wizard_id": demoWizard}, &info)
	if err == nil {
		d.say("\n%s: %d pages, the contract asks for %d fields", info.Name, info.TotalPages, len(info.Example))
	}
	return info, err
}

func (d *demo) validate(ctx context.Context, data json.RawMessage) error {
	var v runner.ValidateOut
	_, err := d.call(ctx, "federalrunner_validate_user_data", map[string]any{"wizard_id": demoWizard, "user_data": data}, &v)
	if err == nil {
		d.check(v.Valid, "the example data meets the contract", "")
	}
	return err
}

func (d *demo) execute(ctx context.Context, data json.RawMessage) (runner.Answer, []runner.Picture, error) {
	d.say("\nexecuting")
	var answer runner.Answer
	args := map[string]any{"wizard_id": demoWizard, "user_data": data, "options": map[string]any{"wait_seconds": 300}} // a busy machine is no failure
	res, err := d.call(ctx, "federalrunner_execute_wizard", args, &answer)
	if err != nil {
		return answer, nil, err
	}
	var images []runner.Picture
	for _, c := range res.Content {
		if img, ok := c.(*mcp.ImageContent); ok {
			images = append(images, runner.Picture{Data: img.Data, MIME: img.MIMEType})
		}
	}
	d.say("\nanswer: %s", answer.Status)
	if answer.Reading != nil {
		for _, n := range answer.Reading.Named {
			d.say("  %-34s %s", n.Name, n.Text)
		}
	}
	if answer.Error != "" {
		d.say("  %s: %s\n  %s", answer.ErrorType, answer.Error, answer.CorrectiveAction)
	}
	return answer, images, nil
}

// compare holds the answer against what the site recorded.
func (d *demo) compare(answer runner.Answer, data json.RawMessage, site *practice.Site) {
	d.say("\nchecks")
	d.check(answer.Success, "the form gave its answer", "")
	subs := site.Submissions()
	d.check(len(subs) == 1, "the site received exactly one submission", "")
	if len(subs) == 0 {
		return
	}
	got, want := plain(subs[0].Data), plain(data)
	d.check(reflect.DeepEqual(got, want), "the site received exactly the data that was given", fmt.Sprintf("%d fields", len(subs[0].Data)))
	d.check(sameAnswer(answer, subs[0].Answer), "the answer read is the answer the site computed", "")
	d.check(answer.ScreenshotCount > answer.PagesCompleted, "there is a picture of every page and of the answer", "")
}

// plain is a value as decoded JSON, for comparing.
func plain(v any) any {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	var out any
	if json.Unmarshal(raw, &out) != nil {
		return nil
	}
	return out
}

// sameAnswer compares each named result with the value that the site computed
// under the same name.
func sameAnswer(answer runner.Answer, computed map[string]any) bool {
	if answer.Reading == nil || len(answer.Reading.Values) == 0 {
		return false
	}
	known := 0
	for name, want := range computed {
		if got, ok := answer.Reading.Values[name]; ok {
			known++
			if !reflect.DeepEqual(plain(got), plain(want)) {
				return false
			}
		}
	}
	return known > 0
}

// write leaves the report and the answer behind.
func (d *demo) write(name string, answer runner.Answer, images []runner.Picture) error {
	answer.Attach(images)
	report, err := writeRun(d.out, name, answer, d.checks)
	if err != nil {
		return err
	}
	d.say("\nreport: %s", report)
	return nil
}

// writeRun writes report.html and answer.json into dir, whole or not at all, for
// the person's own eyes: the pictures show what was entered.
func writeRun(dir, name string, answer runner.Answer, checks []runner.Check) (string, error) {
	answer = answer.WithoutValues()
	raw, err := json.MarshalIndent(answer, "", "  ")
	if err != nil {
		return "", err
	}
	if err := writeFile(filepath.Join(dir, "answer.json"), append(raw, '\n'), private); err != nil {
		return "", err
	}
	path := filepath.Join(dir, "report.html")
	html, err := answer.Report(name, checks)
	if err != nil {
		return "", err
	}
	return path, writeFile(path, html, private)
}

// private is the mode of files that hold something about a person.
const private = 0o600

// writeFile replaces a file in one step, so that nobody reads half of it.
func writeFile(path string, data []byte, mode fs.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".legwork-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(f.Name()) }() // gone after the rename
	if _, err := f.Write(data); err != nil {
		_ = f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Chmod(f.Name(), mode); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
