//go:build long

package shop

import (
	"os/exec"
	"strings"
	"testing"

	"cartd/internal/process"
)

// serveDesk starts the demo with a log of its requests.
func serveDesk(t *testing.T) (base string, log func() string) {
	t.Helper()
	p, err := process.Start(exec.Command(program, "serve", "--listen", "127.0.0.1:0", "--redis", "embedded", "--demo", "--access-log"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Kill)
	addr, err := p.Address()
	if err != nil {
		t.Fatal(err)
	}
	return "http://" + addr, p.Log.String
}

// A key is in the page's memory only: in no storage, no address, no part of the page and no log. Leave, a
// key that is refused, and half an hour without input forget it. "Keep" keeps it in the tab.
func TestLongDeskForgetsItsKey(t *testing.T) {
	base, log := serveDesk(t)
	v := visit(t, base)
	p := v.open("desk")
	p.press("Enter")
	p.sees("Paste your key.")
	p.fill("Your key", "demo-retired-key")
	p.press("Enter")
	p.sees("This key opens nothing")
	p.fill("Your key", deskKey)
	p.press("Enter")
	p.await("the orders", `document.querySelector(".frame h1")`)
	p.wantForgotten(deskKey)
	p.press("Leave")
	p.sees("Your key")
	p.wantForgotten(deskKey)

	p.fill("Your key", deskKey)
	p.press("Keep it in this tab")
	p.press("Enter")
	p.await("the desk", `document.querySelector(".frame h1")`)
	p.reload()
	p.await("the desk again", `document.querySelector(".frame h1")`)
	if eval[int](p, "localStorage.length") != 0 || eval[string](p, "document.cookie") != "" {
		t.Error("the desk leaves something behind in localStorage or in a cookie")
	}
	if other := v.open("desk"); eval[bool](other, `sessionStorage.getItem("desk-key") !== null`) {
		t.Error("another tab has the key")
	}
	p.script(`(() => { const now = Date.now; Date.now = () => now() + 31 * 60000; document.dispatchEvent(new Event("visibilitychange")); })()`)
	p.sees("30 minutes without input: the page has forgotten your key.")
	p.wantForgotten(deskKey)
	for line := range strings.SplitSeq(log(), "\n") {
		if strings.HasPrefix(line, "{") && strings.Contains(line, deskKey) { // the demo itself prints its keys
			t.Errorf("the log has the key: %s", line)
		}
	}
	p.wantOwnOnly()
	p.wantNoFaults()
}

// The pictures of the desk show a day of the demo.
func TestLongPicturesOfTheDesk(t *testing.T) {
	base := serve(t)
	goods := []string{book, rollerTube}
	for i, name := range []string{"Ada Lovelace", "Studio Lichtblick", "Jan van Dalen", "Grete Hermann", "Van Dijk Interieur", "Emmy Noether", "Chris Jansen"} {
		order := sell(t, base, goods[i%2], i%3+1, name)
		if i%4 == 3 {
			continue
		}
		order.pay(t, base)
		if i%3 == 2 {
			ask(t, "POST", base, deskKey, "orders/"+order.id+"/shipments",
				object{"lines": []object{{"line_id": order.line, "quantity": 1}}, "carrier": "PostNL", "tracking_number": "3SABCD1234567"})
		}
	}
	p := visit(t, base).open("desk").enter(deskKey)
	p.goTo("#/orders?show=all")
	p.sees("Ada Lovelace")
	p.quiet()
	p.looksWell("desk orders of a day")
	p.goTo("#/orders/3")
	p.sees("3SABCD1234567")
	p.quiet()
	p.looksWell("desk order of a day")
	p.wantNoFaults()

	q := visit(t, serve(t, "--demo-sales")).open("desk").enter(deskKey)
	q.goTo("#/start")
	q.sees("quote to write")
	q.quiet()
	q.looksWell("desk thirty days")
	q.wantNoFaults()
}
