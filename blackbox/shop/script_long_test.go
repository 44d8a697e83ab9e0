//go:build long

package shop

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// The files testdata/*.txt are journeys of shoppers in a browser: what they do, and what the page answers. A
// bug report is a file. Each has a demo and browsers of its own.
//
//	go test -tags long ./blackbox/shop -run TestLongScripts                 runs all
//	go test -tags long ./blackbox/shop -run TestLongScripts/sale            runs testdata/sale.txt
//	go test -tags long ./blackbox/shop -run TestLongScripts -args -update   writes the answers, for a look at the diff
//
// A file has one command a line, in blocks with empty lines between them. A line that begins with # is a
// comment. A block with `show` has its answer under ----, which is what the page shows there.
//
//	store PATH = JSON        changes the demo's document, ahead of all else: store.policy.max_lines = 3. An
//	                         element of a list is named by its slug, id, sku, name, key or code: products.colour-card.stock.
//	                         {in 40s} stands for that moment, here and below; {255 W} for so many letters
//	shopper NAME [LANGUAGE]  goes on with another person's browser; its language is English if none is named
//	tab NAME                 goes on with another tab of that browser
//	window WIDTH HEIGHT      sets the size of the window; a third word dark sets dark colours, print shows the page as it is printed
//	open ADDRESS             opens a view, as #/cart, or goes to it; a page, as /payment, or one of another server
//	enter KEY                opens the desk and enters with a key of the demo, named as for api
//	sell NAME QUANTITY WHO   sells the book to a guest with this name; {NAME} stands for the order's id from then on
//	reload, back             as the browser's buttons
//	press NAME               clicks the button, link or label of this name, or one whose name begins so
//	fill LABEL: VALUE        types into a field. A label with a colon stands in double quotes, here and below
//	choose LABEL: TEXT       chooses an option
//	keys KEY…                presses keys: Tab, Enter, Escape, Down, or a letter
//	draw LABEL               signs in a field
//	see TEXT                 waits until the view has this text
//	see not TEXT             waits until it has it no more
//	none NAME                the view has no button or link of this name
//	value LABEL: TEXT        waits until a field has this value
//	quiet                    waits until nothing is on its way
//	sums                     the lines, the rows and the total that the page shows add up
//	here NAME                keeps the view's address; {NAME} stands for it from then on
//	focus NAME               waits until the focus is on what has this name
//	title TEXT               waits until the window's title begins so
//	address TEXT             waits until the view's address is this
//	await SCRIPT             waits until a script's value is true
//	run SCRIPT               runs a script in the page
//	looks NAME               the view is as wide as the window, and axe-core finds nothing, in all looks; one of the shop also in
//	                         forced colours and at 320 pixels. SHOP_SHOTS names a folder for its pictures
//	api KEY METHOD PATH JSON a request of the merchant's system with a key of the demo, without its demo- and -key:
//	                         api back-office POST catalog/stock-adjustments {"product_id": …}
//	keep NAME MEMBER         keeps a member of the last answer of api, as data.0.id; {NAME} stands for it from then on
//	break METHOD PATH        answers 503 to requests whose path ends so, until heal; a third word says how many
//	lose METHOD PATH         as break, but cartd does what it is asked, and its answer is lost
//	heal                     ends all faults
//	repeated TIMES           a request was sent so many times with its key
//	slow MILLISECONDS        makes each request take this time more
//	show SELECTOR            the text of the elements that a selector finds, one a line
//
// The document is that of cmd/cartd/demo.
func TestLongScripts(t *testing.T) {
	runScripts(t, "testdata/*.txt", func(t *testing.T, document string) (cartd string, network *way) {
		if document == "" {
			cartd = serve(t)
		} else {
			cartd = serve(t, "--store", document)
		}
		return cartd, connect(t, cartd)
	})
}

// begin starts what a script walks through, with the demo's document or that of a file. It returns the addresses of cartd, and of the
// network through which browsers come.
type begin func(t *testing.T, document string) (cartd string, network *way)

// runScripts runs the scripts that a pattern names.
func runScripts(t *testing.T, pattern string, begin begin) {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			s := &script{t: t, file: file, begin: begin, shoppers: map[string]*visitor{}, tabs: map[string]*tab{}}
			s.run()
		})
	}
}

// keys are the keys that have a name.
var keys = map[string]string{"Tab": kb.Tab, "Enter": kb.Enter, "Escape": kb.Escape, "Down": kb.ArrowDown}

// script is one run of a file.
type script struct {
	t     *testing.T
	file  string
	begin begin

	document map[string]any // the changed document; nil without a change
	cartd    string         // the address of what is walked through; empty until it is started
	network  *way
	shoppers map[string]*visitor
	shopper  string
	tabs     map[string]*tab // by shopper and tab
	tab      *tab
	place    string   // the line that is carried out
	answer   []byte   // the last one of api
	kept     []string // names in braces and what they stand for, in turns
}

func (s *script) run() {
	s.t.Helper()
	text, err := os.ReadFile(s.file)
	if err != nil {
		s.t.Fatal(err)
	}
	blocks := strings.Split(strings.TrimSpace(string(text)), "\n\n")
	number := 1
	for i, block := range blocks {
		commands, want, _ := strings.Cut(block, "\n----\n")
		var got []string
		for n, line := range strings.Split(commands, "\n") {
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			s.place = fmt.Sprintf("%s:%d: %s", s.file, number+n, line)
			if !strings.HasPrefix(line, "store ") {
				s.start()
			}
			line = strings.NewReplacer(s.kept...).Replace(places.ReplaceAllStringFunc(line, filled))
			name, rest, _ := strings.Cut(line, " ")
			if selector, ok := strings.CutPrefix(line, "show "); ok {
				got = append(got, s.show(selector)...)
				continue
			}
			s.carryOut(name, rest)
		}
		number += strings.Count(block, "\n") + 2
		answer := strings.Join(got, "\n")
		switch {
		case *update && answer != "":
			blocks[i] = commands + "\n----\n" + answer
		case answer != want:
			s.t.Fatalf("%s\ngot:\n%s\nwant:\n%s", s.place, answer, want)
		}
	}
	for _, one := range s.tabs {
		one.wantNoFaults()
		one.wantOwnOnly()
	}
	if *update {
		if err := os.WriteFile(s.file, []byte(strings.Join(blocks, "\n\n")+"\n"), 0o600); err != nil {
			s.t.Fatal(err)
		}
	}
}

// carryOut does what a line says.
func (s *script) carryOut(name, rest string) {
	s.t.Helper()
	s.t.Log(s.place)
	switch name {
	case "store":
		s.change(rest)
		return
	case "shopper":
		person, language, _ := strings.Cut(rest, " ")
		s.goOn(person, language, "")
		return
	case "tab":
		s.goOn(s.shopper, "", rest)
		return
	case "api":
		s.api(rest)
		return
	case "keep":
		s.keep(rest)
		return
	case "break", "lose":
		words := strings.Fields(rest)
		times := 1 << 30
		if len(words) == 3 {
			times = s.number(words[2])
		}
		s.network.breaks(fault{method: words[0], path: words[1], times: times, lose: name == "lose"})
		return
	case "heal":
		s.network.heals()
		return
	case "repeated":
		if got := s.network.repeated(); got < s.number(rest) {
			s.t.Fatalf("%s: a key was sent %d times", s.place, got)
		}
		return
	case "sell":
		words := strings.SplitN(rest, " ", 3)
		s.kept = append(s.kept, "{"+words[0]+"}", sell(s.t, s.cartd, book, s.number(words[1]), words[2]).id)
		return
	case "slow":
		s.network.slow(milliseconds(s.number(rest)))
		return
	}
	if s.tab == nil {
		s.goOn("shopper", "", "")
	}
	s.look(s.tab, name, rest)
}

// look does what a line says with a tab.
func (s *script) look(p *tab, name, rest string) {
	s.t.Helper()
	label, value, _ := strings.Cut(rest, ": ")
	if quoted, ok := strings.CutPrefix(rest, `"`); ok {
		label, value, _ = strings.Cut(quoted, `": `)
	}
	switch name {
	case "open":
		switch {
		case strings.HasPrefix(rest, "#"):
			p.goTo(rest)
		case strings.HasPrefix(rest, "/"):
			p.do(chromedp.Navigate(p.base + rest))
		default:
			p.do(chromedp.Navigate(rest))
		}
	case "enter":
		p.do(chromedp.Navigate(p.base + "/desk"))
		p.enter("demo-" + rest + "-key")
	case "reload":
		p.reload()
	case "back":
		p.script("history.back()")
	case "window":
		words := strings.Fields(rest)
		p.resize(int64(s.number(words[0])), int64(s.number(words[1])), slices.Contains(words, "dark"))
		if slices.Contains(words, "print") {
			call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
		}
	case "press":
		p.press(rest)
	case "fill":
		p.fill(strings.TrimSuffix(label, ":"), value)
	case "choose":
		p.choose(label, value)
	case "keys":
		for _, key := range strings.Fields(rest) {
			p.do(chromedp.KeyEvent(cmp.Or(keys[key], key)))
		}
	case "draw":
		p.draw(rest)
	case "see":
		if text, ok := strings.CutPrefix(rest, "not "); ok {
			p.seesNot(text)
		} else {
			p.sees(rest)
		}
	case "none":
		p.wantNone(rest)
	case "value":
		p.await("the value "+rest, fmt.Sprintf("%s.field(%s)?.value === %s", finder, quoted(label), quoted(value)))
	case "quiet":
		p.quiet()
	case "sums":
		p.quiet()
		p.wantSums(s.place)
	case "here":
		s.kept = append(s.kept, "{"+rest+"}", eval[string](p, "location.hash"))
	case "focus":
		p.await("the focus on "+rest, fmt.Sprintf(`((e) => (e.getAttribute("aria-label") ?? document.querySelector('label[for="' + e.id + '"]')?.firstChild.textContent ?? e.innerText ?? "").replace(/\s+/g, " ").trim() === %s)(document.activeElement)`, quoted(rest)))
	case "title":
		p.await("the title "+rest, fmt.Sprintf(`document.title.startsWith(%s)`, quoted(rest)))
	case "address":
		p.await("the address "+rest, fmt.Sprintf(`decodeURIComponent(location.hash) === %s`, quoted(rest)))
	case "await":
		p.await(rest, rest)
	case "run":
		p.script(rest)
	case "looks":
		p.quiet()
		p.looksWell(rest)
	default:
		s.t.Fatalf("%s: there is no such command", s.place)
	}
}

// show returns the text of the elements that a selector finds, when the page has loaded.
func (s *script) show(selector string) []string {
	s.t.Helper()
	s.tab.quiet()
	s.tab.await("an element "+selector, fmt.Sprintf(`document.querySelector(%s)`, quoted(selector)))
	return eval[[]string](s.tab, fmt.Sprintf(`[...document.querySelectorAll(%s)].filter((e) => e.getClientRects().length > 0).map((e) => e.innerText.replace(/\s+/g, " ").trim())`,
		quoted(selector)))
}

// start starts what is walked through, behind a network of its own.
func (s *script) start() {
	s.t.Helper()
	if s.cartd != "" {
		return
	}
	file := ""
	if s.document != nil {
		text, err := json.Marshal(s.document)
		if err != nil {
			s.t.Fatal(err)
		}
		file = filepath.Join(s.t.TempDir(), "store.json")
		if err := os.WriteFile(file, text, 0o600); err != nil {
			s.t.Fatal(err)
		}
	}
	s.cartd, s.network = s.begin(s.t, file)
	s.kept = append(s.kept, "{cartd}", s.cartd)
}

// goOn goes on in a tab of a shopper, and opens it at the start page if it is new.
func (s *script) goOn(person, language, name string) {
	s.t.Helper()
	v := s.shoppers[person]
	if v == nil {
		v = visitIn(s.t, s.network.base, language)
		s.shoppers[person] = v
	}
	id := person + " " + name
	if s.tabs[id] == nil {
		s.tabs[id] = v.open("")
	}
	s.shopper, s.tab = person, s.tabs[id]
	call(s.tab, page.BringToFront, cdp.Empty{})
}

// api sends a request of the merchant's system.
func (s *script) api(rest string) {
	s.t.Helper()
	words := strings.SplitN(rest, " ", 4)
	if len(words) < 3 {
		s.t.Fatalf("%s: want a key, a method and a path", s.place)
	}
	s.answer = merchant(s.t, words[1], s.cartd, "demo-"+words[0]+"-key", words[2], strings.Join(words[3:], ""))
}

// keep keeps a member of the last answer of the API, a text or a number.
func (s *script) keep(rest string) {
	s.t.Helper()
	name, path, _ := strings.Cut(rest, " ")
	var at any
	if err := json.Unmarshal(s.answer, &at); err != nil {
		s.t.Fatalf("%s: %v", s.place, err)
	}
	for _, member := range strings.Split(path, ".") {
		switch of := at.(type) {
		case map[string]any:
			at = of[member]
		case []any:
			if at = nil; s.number(member) < len(of) {
				at = of[s.number(member)]
			}
		}
	}
	switch at.(type) {
	case string, float64:
		s.kept = append(s.kept, "{"+name+"}", fmt.Sprint(at))
	default:
		s.t.Fatalf("%s: the answer has no such text or number:\n%s", s.place, s.answer)
	}
}

// change changes a member of the demo's document.
func (s *script) change(rest string) {
	s.t.Helper()
	if s.document == nil {
		text, err := os.ReadFile("../../cmd/cartd/demo/store.json")
		if err != nil {
			s.t.Fatal(err)
		}
		if err := json.Unmarshal(text, &s.document); err != nil {
			s.t.Fatal(err)
		}
	}
	path, text, _ := strings.Cut(rest, " = ")
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		s.t.Fatalf("%s: %v", s.place, err)
	}
	var at any = s.document
	names := strings.Split(path, ".")
	for _, name := range names[:len(names)-1] {
		at = s.member(at, name)
	}
	within, ok := at.(map[string]any)
	if !ok {
		s.t.Fatalf("%s: %s stands in no object", s.place, path)
	}
	within[names[len(names)-1]] = value
}

// member returns a member of an object, or the element of a list that has this slug, id, name or key.
func (s *script) member(of any, name string) any {
	s.t.Helper()
	switch of := of.(type) {
	case map[string]any:
		if of[name] == nil {
			of[name] = map[string]any{}
		}
		return of[name]
	case []any:
		for _, one := range of {
			fields, _ := one.(map[string]any)
			for _, by := range []string{"slug", "id", "sku", "name", "key", "code"} {
				if fields[by] == name {
					return fields
				}
			}
		}
	}
	s.t.Fatalf("%s: the document has no %q there", s.place, name)
	return nil
}

// places are those of moments, as {in 40s}, and of long words, as {255 W}.
var places = regexp.MustCompile(`\{in [0-9hms]+\}|\{[0-9]+ \w\}`)

func filled(place string) string {
	words := strings.Fields(strings.Trim(place, "{}"))
	if in, err := time.ParseDuration(words[1]); err == nil {
		return time.Now().Add(in).UTC().Format(time.RFC3339)
	}
	times, _ := strconv.Atoi(words[0]) // of digits only
	return strings.Repeat(words[1], times)
}

func (s *script) number(text string) int {
	s.t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		s.t.Fatalf("%s: %v", s.place, err)
	}
	return n
}
