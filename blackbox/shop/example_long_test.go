//go:build long

package shop

import (
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"testing"

	"cartd/blackbox"
)

// example serves the client's example page, freshly built, and returns its address with that of a demo
// which allows its origin.
func example(t *testing.T) (page, view string) {
	t.Helper()
	root, err := blackbox.Root()
	if err != nil {
		t.Fatal(err)
	}
	client := filepath.Join(root, "clients", "typescript")
	for _, command := range [][]string{
		{"npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"},
		{"npm", "run", "--silent", "build"},
	} {
		run := exec.Command(command[0], command[1:]...)
		run.Dir = client
		if output, err := run.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", command, err, output)
		}
	}
	files := httptest.NewServer(http.FileServer(http.Dir(client)))
	t.Cleanup(files.Close)
	return files.URL, "example/?api=" + serve(t, "--cors-origins", files.URL)
}

// shopper opens the example page in a browser of its own.
func shopper(t *testing.T, page, view string) *tab {
	t.Helper()
	p := visit(t, page).open(view)
	p.within = "document.body"
	p.sees("Northwind Blinds", "Roller blind")
	return p
}

// chooseProduct shows one product's form.
func (p *tab) chooseProduct(words, name string) {
	p.t.Helper()
	p.fill("Search", words)
	p.press("Search")
	p.await("the product alone", `(([one, ...more]) => more.length === 0 && one?.innerText.startsWith(`+quoted(name)+
		`))([...document.querySelectorAll("#products li")])`)
	p.press("Choose")
	p.await("its form", `document.querySelector("#product h2").innerText === `+quoted(name))
}

// leave ends the typing in a field, which then changes.
func (p *tab) leave() {
	p.t.Helper()
	p.script("document.activeElement.blur()")
}

// A guest of the example page buys by the metre, a variant and a blind made to measure, and checks out.
// Refusals are in the guest's language.
func TestLongExampleGuest(t *testing.T) {
	page, view := example(t)
	p := shopper(t, page, view)
	p.chooseProduct("roller tube", "Roller tube, aluminium 32 mm")
	p.fill("Quantity", "much")
	p.press("Add")
	p.sees("quantity: a number, please.")
	p.choose("Language", "Nederlands")
	p.press("Add")
	p.sees("aantal: een getal, alstublieft.")
	p.fill("Quantity", "2,5")
	p.press("Add")
	p.sees("aantal: een getal, alstublieft.")
	p.fill("Quantity", "2.5")
	p.press("Add")
	p.sees("€ 17,25", "Total € 17,25")
	p.choose("Language", "English")
	p.sees("Total €17.25")
	p.fill("Quantity of Roller tube, aluminium 32 mm", "12.5")
	p.leave()
	p.sees("Total €77.50")

	p.chooseProduct("drill 18", "Cordless drill, 18 V")
	p.fill("Quantity", "1.5")
	p.choose("Variant", "With two batteries, €179.00")
	p.press("Add")
	p.sees("This is sold by the piece: a whole number, please.")
	p.fill("Quantity", "1")
	p.press("Add")
	p.sees("Cordless drill, 18 V, With two batteries", "€179.00")

	p.fill("Search", "roller blind")
	p.press("Search")
	p.await("two products", `document.querySelectorAll("#products li").length === 2`)
	p.press("Choose")
	p.await("its form", `document.querySelector("#product h2").innerText === "Roller blind"`)
	p.press("Add")
	p.sees("Width is missing.", "Please choose: Fabric.")
	p.choose("Language", "Nederlands")
	p.press("Add")
	p.sees("Width ontbreekt.", "Maak een keuze: Fabric.")
	p.choose("Language", "English")
	p.fill("Width", "1200")
	p.fill("Height", "1500")
	p.choose("Fabric", "Blackout")
	p.choose("Colour", "Night blue, lightproof")
	p.choose("Mounting", "On the wall")
	p.choose("Operation", "Ball chain")
	p.press("Add")
	p.sees("Total €368.85")

	p.press("Remove")
	p.sees("Total €291.35")
	p.await("two lines", `document.querySelectorAll("#lines li").length === 2`)
	p.fill("Code", "summer25")
	p.press("Apply")
	p.sees("The code does not apply: expired")

	p.press("Check out")
	p.sees("Please fill in: email.", "Please fill in: postal code.")
	p.fill("E-mail of the order", "grace@example.com")
	p.fill("Name", "Grace Hopper")
	p.fill("Street", "Havenkade 3")
	p.fill("Postal code", "1011 AB")
	p.fill("City", "Amsterdam")
	p.press("Check out")
	p.sees("Order 1: €", "Thank you!")
	p.await("a new cart", `document.querySelectorAll("#lines li").length === 0`)
	p.wantNoFaults()
}

// A customer of the example page has one cart on two devices, buys an order again, and asks for a
// quote, which the customer signs.
func TestLongExampleAccount(t *testing.T) {
	page, view := example(t)
	phone, desk := shopper(t, page, view), shopper(t, page, view)
	logIn := func(p *tab) {
		p.press("Log in")
		p.sees("Hello, Ada.")
	}
	phone.chooseProduct("roller tube", "Roller tube, aluminium 32 mm")
	phone.press("Add")
	phone.sees("Total €6.90")
	logIn(phone)
	desk.chooseProduct("dressed window", "Book: The Well-Dressed Window")
	desk.press("Add")
	desk.sees("Total €24.50")
	logIn(desk) // claims, and folds the phone's cart
	desk.sees("Total €31.40")
	phone.reload() // its cart is merged: the page follows it
	phone.sees("Total €31.40", "Book: The Well-Dressed Window")
	phone.fill("Quantity of Book: The Well-Dressed Window", "2")
	phone.leave()
	phone.sees("Total €55.90")
	desk.script("localStorage.clear()") // a device that knows no cart: the first of the account's list
	desk.reload()
	desk.sees("Total €55.90")

	desk.fill("Name", "Ada Lovelace")
	desk.fill("Street", "Dam 1")
	desk.fill("Postal code", "1012 JS")
	desk.fill("City", "Amsterdam")
	desk.press("Check out")
	desk.sees("Order 1: €", "Thank you!")
	desk.await("her order", `document.querySelector("#orders").innerText.startsWith("Order 1")`)
	desk.press("Buy again")
	desk.sees("Total €55.90")

	desk.chooseProduct("fitting", "Fitting")
	desk.fill("Quantity", "90")
	desk.press("Add")
	desk.sees("Total €5,365.90")
	desk.press("Check out")
	desk.sees("quote")
	desk.press("Ask for a quote")
	desk.sees("Quote 1: €5,365.90, valid until")
	desk.fill("Your name", "Ada Lovelace")
	desk.press("Sign and accept")
	desk.sees("of quote 1: €", "Thank you!")
	desk.press("Log out")
	desk.sees("Account Log in", "Total €0.00")
	desk.wantNoFaults()
	phone.wantNoFaults()
}
