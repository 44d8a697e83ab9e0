//go:build long

package shop

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// worker counts what a person does with the mouse and the keyboard.
type worker struct {
	*tab
	clicks, keys int
}

func (w *worker) click(name string) { w.clicks++; w.press(name) }
func (w *worker) write(label, text string) {
	w.clicks++
	w.keys += len([]rune(text))
	text, enter := strings.CutSuffix(text, "\n")
	w.fill(label, text)
	if enter {
		w.do(chromedp.KeyEvent(kb.Enter))
	}
}

// task is what a merchant does on a day, with the text that says that it is done.
type task struct {
	name string
	do   func(w *worker)
	done string
}

// The seconds of a task by the keystroke-level model (Card, Moran, Newell): a click with the way to it, a key, and
// a thought ahead of each click.
const (
	perClick   = 1100*time.Millisecond + 200*time.Millisecond
	perKey     = 280 * time.Millisecond
	perThought = 1350 * time.Millisecond
)

const tasksFile = "../../docs/desk.md"

// The tasks of a day are done with as many clicks and keys as docs/desk.md says.
func TestLongDeskTasks(t *testing.T) {
	base := serve(t, "--store", documentWith(t, func(document map[string]any) {
		document["store"].(map[string]any)["quotes"].(map[string]any)["mode"] = "reviewed"
	}))
	cart := ask(t, "POST", base, "demo-storefront-key", "commerce/carts", object{})["id"].(string)
	ask(t, "POST", base, "demo-storefront-key", "commerce/carts/"+cart+"/lines", object{"product_id": book, "quantity": 10})
	ask(t, "POST", base, "demo-storefront-key", "commerce/carts/"+cart+"/quote-request",
		object{"email": "guest@example.com", "company_name": "Van Dijk Interieur", "message": "What do ten cost?"})
	var orders []sold
	for i := range 7 {
		order := sell(t, base, book, 2, "Ada Lovelace")
		if i > 0 {
			order.pay(t, base)
		}
		orders = append(orders, order)
	}
	ask(t, "POST", base, deskKey, "orders/"+orders[5].id+"/shipments", object{})
	p := visit(t, base).open("desk").enter(deskKey)
	open := func(w *worker, show string, order sold) {
		w.click(show)
		w.click(fmt.Sprint(order.number))
	}
	counted := map[string]string{}
	for _, one := range []task{
		{"find an order by its number", func(w *worker) { w.write("Search orders", "5"); w.click("5") }, "Order 5"},
		{"record a payment", func(w *worker) {
			open(w, "Unpaid", orders[0])
			w.click("It is paid")
			w.write("Reference of the payment", "pi_3NkQ7")
			w.click("Yes, €")
		}, "pi_3NkQ7"},
		{"ship an order", func(w *worker) {
			open(w, "To ship", orders[1])
			w.click("Ship")
			w.write("Tracking number", "3SABCD1234567")
			w.click("Yes, it leaves")
		}, "3SABCD1234567"},
		{"ship one piece of two", func(w *worker) {
			open(w, "To ship", orders[2])
			w.click("Ship")
			w.write("Book: The Well-Dressed Window", "1")
			w.click("Yes, it leaves")
		}, "Partly shipped"},
		{"refund 5 euro", func(w *worker) {
			open(w, "All", orders[3])
			w.click("Refund")
			w.click("An amount")
			w.write("Amount", "5")
			w.write("Reference of the refund", "re_1")
			w.click("Yes, record the refund")
		}, "€5.00 refunded"},
		{"cancel an order", func(w *worker) {
			open(w, "To ship", orders[4])
			w.click("Cancel")
			w.click("Yes, cancel")
		}, "Cancelled"},
		{"take one piece back", func(w *worker) {
			open(w, "All", orders[5])
			w.click("Take back")
			w.write("Book: The Well-Dressed Window", "1")
			w.click("Yes, they came back")
		}, "1 came back"},
		{"answer a request for a quote", func(w *worker) {
			w.click("Quotes")
			w.click("–") // its number
			w.write("Price of Book: The Well-Dressed Window", "20")
			w.click("Offer")
			w.click("Yes, offer €200.00")
		}, "version 1"},
		{"approve a company", func(w *worker) {
			w.click("Customers")
			w.click("To approve")
			w.click("Studio Lichtblick")
			w.click("Approve")
		}, "Take the approval back"},
		{"change a price", func(w *worker) {
			w.click("Products")
			w.write("Search products", "BK-1")
			w.click("Book: The Well-Dressed Window")
			w.write("Price of Book: The Well-Dressed Window", "19,95\n")
		}, "Prices"},
		{"turn a discount off", func(w *worker) {
			w.click("Discounts")
			w.write("Search discounts", "readers")
			w.click("Five euros for our readers")
			w.click("Turn it off")
		}, "Turn it on"},
		{"close the store for orders", func(w *worker) {
			w.click("Store")
			w.write("What shoppers read meanwhile", "Back at noon.")
			w.click("Close it for orders")
		}, "The store is closed"},
	} {
		p.goTo("#/orders?show=all")
		p.sees("Ada Lovelace")
		p.fill("Search orders", "")
		p.quiet()
		w := &worker{tab: p}
		one.do(w)
		p.sees(one.done)
		seconds := time.Duration(w.clicks)*(perClick+perThought) + time.Duration(w.keys)*perKey
		counted[one.name] = fmt.Sprintf("| %s | %d | %d | %.0f |", one.name, w.clicks, w.keys, seconds.Seconds())
	}
	p.wantNoFaults()

	text, err := os.ReadFile(tasksFile)
	if err != nil {
		t.Fatal(err)
	}
	// The columns of other admins, behind what is counted, are written by hand.
	row := regexp.MustCompile(`(?m)^\| ([^|]+) \| \d+ \| \d+ \| \d+ \|`)
	for _, found := range row.FindAllSubmatch(text, -1) {
		got, name := string(found[0]), string(found[1])
		want, ok := counted[name]
		if !ok {
			t.Errorf("docs/desk.md has a task that is not done here: %s", name)
			continue
		}
		if got != want && !*update {
			t.Errorf("docs/desk.md has %s, want %s (-args -update writes it)", got, want)
		}
		text = bytes.Replace(text, found[0], []byte(want), 1)
		delete(counted, name)
	}
	for name := range counted {
		t.Errorf("docs/desk.md lacks the task %s", name)
	}
	if *update {
		if err := os.WriteFile(tasksFile, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
