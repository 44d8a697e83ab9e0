//go:build long

package shop

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// patience is how long a visitor waits for what should appear.
const patience = 30 * time.Second

// visitor is a person with a browser of their own.
type visitor struct {
	t       *testing.T
	browser context.Context
	base    string // the shop's address
}

// tab is one tab of a visitor's browser.
type tab struct {
	*visitor
	ctx context.Context
	// faults are the errors in the page's console: of its scripts and of its policy.
	mu     sync.Mutex
	faults []string
}

// visit starts a browser in English.
func visit(t *testing.T, base string) *visitor {
	t.Helper()
	return visitIn(t, base, "en")
}

// visitIn starts a browser in a language, by its code; in English if it is empty.
func visitIn(t *testing.T, base, language string) *visitor {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.NoSandbox, chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("accept-lang", cmp.Or(language, "en")), chromedp.Flag("lang", cmp.Or(language, "en")),
		chromedp.WindowSize(1440, 900))
	allocator, end := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(end)
	browser, stop := chromedp.NewContext(allocator)
	t.Cleanup(stop)
	if err := chromedp.Do(browser); err != nil {
		t.Fatalf("chromium: %v", err)
	}
	return &visitor{t: t, browser: browser, base: base}
}

// open opens a view in a new tab, with the visitor's localStorage and a sessionStorage of its own.
func (v *visitor) open(view string) *tab {
	v.t.Helper()
	ctx, stop := chromedp.NewContext(v.browser)
	v.t.Cleanup(stop)
	p := &tab{visitor: v, ctx: ctx}
	messages := chromedp.Console(ctx)
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			// The browser itself logs each answer from 400 on, with the source "network".
			if (m.IsException() || m.Type == "error") && m.Source != "network" {
				p.mu.Lock()
				p.faults = append(p.faults, m.String())
				p.mu.Unlock()
			}
		}
	}()
	p.do(chromedp.Navigate(v.base + "/" + view))
	return p
}

// act runs an action in a tab.
func act[T any](p *tab, action chromedp.Action[T]) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, 2*patience)
	defer cancel()
	result, err := chromedp.Run(ctx, action)
	if err != nil {
		p.t.Fatalf("chromium: %v", err)
	}
	return result
}

// call sends a command of the browser's protocol.
func call[P, R any](p *tab, command cdp.Command[P, R], params P) R {
	p.t.Helper()
	result, err := chromedp.Call(p.ctx, command, params)
	if err != nil {
		p.t.Fatalf("chromium: %v", err)
	}
	return result
}

func (p *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	for _, one := range actions {
		act(p, one)
	}
}

// eval returns the value of a script in the page, outside its policy.
func eval[T any](p *tab, script string) T {
	p.t.Helper()
	return act(p, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
}

// script runs a script in the page.
func (p *tab) script(script string) {
	p.t.Helper()
	eval[bool](p, "("+script+", true)")
}

// goTo goes to a view of the same page.
func (p *tab) goTo(view string) {
	p.t.Helper()
	p.script(fmt.Sprintf("location.hash = %q", view))
}

// await waits until a script's value is true. A page that is just being left has no value.
func (p *tab) await(what, script string) {
	p.t.Helper()
	for began := time.Now(); ; time.Sleep(40 * time.Millisecond) {
		met, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool]("Boolean("+script+")", chromedp.EvalAwaitPromise))
		if err == nil && met {
			return
		}
		if time.Since(began) > patience {
			picture := filepath.Join(os.TempDir(), "shop-failed.png")
			p.shoot(picture)
			p.t.Fatalf("the visitor waits for %s (%v); the page (%s):\n%s", what, err, picture, eval[string](p, `location.hash + "\n" + document.body.innerText`))
		}
	}
}

// said is a script: the text of the part of the page that the visitor reads.
const said = `(document.querySelector("#shop, #desk") ?? document.body).innerText.replace(/\s+/g, " ")`

// sees waits for texts in the view.
func (p *tab) sees(texts ...string) {
	p.t.Helper()
	for _, text := range texts {
		p.await(fmt.Sprintf("%q", text), said+".includes("+quoted(text)+")")
	}
}

// seesNot waits until a text is gone.
func (p *tab) seesNot(text string) {
	p.t.Helper()
	p.await(fmt.Sprintf("the end of %q", text), "!"+said+".includes("+quoted(text)+")")
}

// finder is a script that finds a visible element by its name, as assistive technology knows it.
const finder = `(() => {
	const shown = (e) => e.getClientRects().length > 0;
	const said = (e) => (e.getAttribute("aria-label") ?? e.innerText ?? "").replace(/\s+/g, " ").trim();
	const named = (kinds, name, exact) => [...document.querySelectorAll(kinds)].filter(shown).find((e) => exact ? said(e) === name : said(e).startsWith(name));
	const press = (name) => named("button, a, summary, label", name, true) ?? named("button, a, summary, label", name, false);
	const field = (name) => {
		// Without what says that it is optional; a closed part says nothing.
		const label = [...document.querySelectorAll("label[for]")].filter(shown)
			.find((e) => said(e) !== "" && e.firstChild.textContent.trim() === name);
		return label ? document.getElementById(label.htmlFor) : named("input, select, textarea, canvas", name, true);
	};
	return { press, field };
})()`

// box is where an element is on the screen.
type box struct{ X, Y, W, H float64 }

// find waits for an element, brings it onto the screen and returns its place there.
func (p *tab) find(what, element string) box {
	p.t.Helper()
	p.await(what, element)
	return eval[box](p, fmt.Sprintf(`(async () => {
		// A page that is just drawn still moves: its place counts when it is on the screen, and the same over two frames.
		let r;
		for (let tries = 0, last; tries < 50; tries++, last = r) {
			const e = %s;
			e?.scrollIntoView({ block: "center", behavior: "instant" });
			await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
			r = e?.getBoundingClientRect();
			if (r && last && r.x === last.x && r.y === last.y && r.y + r.height / 2 >= 0 && r.y + r.height / 2 <= innerHeight) break;
		}
		return { X: r.x, Y: r.y, W: r.width, H: r.height };
	})()`, element))
}

// press clicks a button, a link or a label with the mouse.
func (p *tab) press(name string) {
	p.t.Helper()
	at := p.find(fmt.Sprintf("a button or link %q", name), fmt.Sprintf("%s.press(%s)", finder, quoted(name)))
	p.do(chromedp.MouseClickXY(at.X+at.W/2, at.Y+at.H/2))
}

// fill types a value into a field.
func (p *tab) fill(label, value string) {
	p.t.Helper()
	field := fmt.Sprintf("%s.field(%s)", finder, quoted(label))
	p.find(fmt.Sprintf("a field %q", label), field)
	p.script(fmt.Sprintf("(() => { const e = %s; e.focus(); e.select?.(); })()", field))
	if value == "" {
		p.do(chromedp.KeyEvent("\b"))
		return
	}
	call(p, input.InsertText, input.InsertTextParams{Text: value})
}

// choose chooses a value of a select.
func (p *tab) choose(label, text string) {
	p.t.Helper()
	field := fmt.Sprintf("%s.field(%s)", finder, quoted(label))
	p.find(fmt.Sprintf("a select %q", label), field)
	p.script(fmt.Sprintf(`(() => {
		const e = %s;
		e.value = [...e.options].find((o) => o.text === %s).value;
		e.dispatchEvent(new Event("change", { bubbles: true }));
	})()`, field, quoted(text)))
}

// draw draws a line across an element, as a signature.
func (p *tab) draw(label string) {
	p.t.Helper()
	at := p.find(fmt.Sprintf("a field to draw %q", label), fmt.Sprintf("%s.field(%s)", finder, quoted(label)))
	mouse := func(kind input.DispatchMouseEventType, x, y float64) {
		p.do(chromedp.MouseEvent(kind, at.X+x*at.W, at.Y+y*at.H, chromedp.ButtonLeft))
	}
	mouse(chromedp.MousePressed, 0.2, 0.6)
	for i := range 12 {
		mouse(chromedp.MouseMoved, 0.2+float64(i)*0.05, 0.4+0.3*float64(i%3)/2)
	}
	mouse(chromedp.MouseReleased, 0.8, 0.5)
}

// quiet waits until the page asks nothing and shows nothing that loads.
func (p *tab) quiet() {
	p.t.Helper()
	p.await("the end of loading", `!document.querySelector("[aria-busy=true], [data-busy=true], .stale") && [...document.images].every((one) => one.complete || one.loading === "lazy")`)
}

// resize sets the size of the window, and the colours.
func (p *tab) resize(width, height int64, dark bool) {
	p.t.Helper()
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	call(p, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: height, DeviceScaleFactor: 1, Mobile: width < 600})
	call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"},
	}})
	eval[bool](p, "new Promise((done) => setTimeout(() => requestAnimationFrame(() => done(true)), 60))") // the colours change over a frame
}

// forceColours shows the page in the few colours that a visitor has chosen for all pages.
func (p *tab) forceColours(width int64) {
	p.t.Helper()
	p.resize(width, 900, true)
	call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "forced-colors", Value: "active"}, {Name: "prefers-color-scheme", Value: "dark"}, {Name: "prefers-reduced-motion", Value: "reduce"},
	}})
	eval[bool](p, "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")
}

// shoot writes a picture of the window.
func (p *tab) shoot(file string) {
	p.t.Helper()
	if err := os.WriteFile(file, act(p, chromedp.CaptureScreenshot()), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// wantNoFaults fails the test for errors of the page's scripts.
func (p *tab) wantNoFaults() {
	p.t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.faults) > 0 {
		p.t.Errorf("errors of the page:\n%s", strings.Join(p.faults, "\n"))
	}
}

// conditions are those of a tab's network; −1 is without a limit. This form of the command is known to browsers of each year.
type conditions struct {
	Offline  bool    `json:"offline"`
	Latency  float64 `json:"latency"`
	Download float64 `json:"downloadThroughput"`
	Upload   float64 `json:"uploadThroughput"`
}

var emulateConditions = cdp.Command[conditions, cdp.Empty]{Method: "Network.emulateNetworkConditions"}

// offline takes the tab's network away, or brings it back.
func (p *tab) offline(off bool) {
	p.t.Helper()
	call(p, emulateConditions, conditions{Offline: off, Download: -1, Upload: -1})
}

// reload loads the page again.
func (p *tab) reload() {
	p.t.Helper()
	p.do(chromedp.Reload())
}

func quoted(text string) string {
	json, _ := json.Marshal(text) // a string always has a JSON form
	return string(json)
}
