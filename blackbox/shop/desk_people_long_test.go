//go:build long

package shop

import (
	"strings"
	"testing"
)

// The start shows what was sold and what waits; each row leads to it.
func TestLongDeskStart(t *testing.T) {
	base := serve(t)
	sell(t, base, book, 1, "Ada Lovelace")
	adjust(t, base, book, -46)
	p := visit(t, base).enter(deskKey)
	p.goTo("#/start")
	p.sees("Orders today", "€31.45", "orders to be paid", "companies to approve", "items of which fewer than 5 are left")
	p.press("The days as a table")
	p.await("30 days", `document.querySelectorAll(".bars tbody tr").length === 30 && document.querySelectorAll(".bars .bar").length === 30`)
	p.press("1 orders to be paid")
	p.sees("Ada Lovelace")
	p.goTo("#/start")
	p.press("1 companies to approve")
	p.sees("Studio Lichtblick")
	p.wantOwnOnly()
	p.wantNoFaults()
}

// awaiting is the id of a company that waits for its approval.
func awaiting(t *testing.T, base string) string {
	t.Helper()
	var found struct{ Data []struct{ ID string } }
	read(t, base, "contacts?awaiting=true", &found)
	return found.Data[0].ID
}

// A company is approved, gets a group, and shows what it has bought. Of two desks the later one is told.
func TestLongDeskCustomer(t *testing.T) {
	base := serve(t)
	p, other := visit(t, base).enter(deskKey), visit(t, base).enter(deskKey)
	for _, one := range []*tab{p, other} {
		one.goTo("#/customers?show=awaiting")
		one.press("Studio Lichtblick")
		one.sees("To approve", "Nothing was bought yet.")
	}
	p.press("Approve")
	p.sees("Take the approval back")
	other.choose("Group", "Trade")
	other.sees("Somebody else has changed this.")
	other.press("I have seen it")
	other.choose("Group", "Trade")
	other.seesNot("Somebody else has changed this.")

	sell(t, base, book, 1, hostile)
	p.goTo("#/customers")
	p.fill("Search customers", "guest@example.com")
	p.press("guest@example.com")
	p.sees("Guest", "Book: The Well-Dressed Window")
	p.goTo("#/customers")
	p.fill("Search customers", "van d")
	p.sees("Van Dijk")
	if at := eval[string](p, "location.href"); strings.Contains(at, "van") {
		t.Errorf("the address has a search word: %s", at)
	}
	p.wantOwnOnly()
	p.wantNoFaults()
}

// The stock of a product is changed by what came or went. Uses of a discount are counted, and the store says who
// did what.
func TestLongDeskStock(t *testing.T) {
	base := serve(t)
	p := visit(t, base).enter(deskKey)
	p.goTo("#/products/" + book)
	p.sees("48 on hand")
	p.fill("Change the stock of Book: The Well-Dressed Window by", "−45")
	p.press("Change to 3")
	p.sees("3 on hand")
	p.goTo("#/products?show=few")
	p.sees("Book: The Well-Dressed Window")
	p.goTo("#/discounts/60000000-0000-4000-8000-000000000020")
	p.sees("Used 0 times")
	p.goTo("#/store")
	p.sees("Who did what", "Receivers of events", "desk")
	p.wantNoFaults()
}
