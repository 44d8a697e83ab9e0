//go:build long

package shop

import (
	"os/exec"
	"strings"
	"testing"

	"cartd/internal/redistest"
)

const northwind = "11111111-1111-4111-8111-111111111111"

// keyOf runs `cartd key` for the demo's store, and returns the key that it makes.
func keyOf(t *testing.T, redis string, args ...string) string {
	t.Helper()
	said, err := exec.Command(program, append([]string{"key", "--redis", redis, "--store", northwind}, args...)...).Output()
	if err != nil {
		t.Fatalf("cartd key %q: %v", args, err)
	}
	return strings.TrimSpace(string(said))
}

// A key of `cartd key --desk` opens every view. Once it is revoked, the page forgets it with its next request, also
// where the tab keeps it.
func TestLongDeskForgetsARevokedKey(t *testing.T) {
	redis := redistest.Mini(t).URL()
	base := serve(t, "--redis", redis)
	key := keyOf(t, redis, "--desk", "Eva, sales")
	p := visit(t, base).open("desk")
	p.fill("Your key", key)
	p.press("Keep it in this tab")
	p.press("Enter")
	p.await("every view", `document.querySelectorAll(".side nav a").length === 7`)
	for view, sees := range map[string]string{
		"start": "Orders today", "orders": "Nothing is waiting to be shipped.", "quotes": "Write a quote", "customers?show=awaiting": "Studio Lichtblick",
		"products": "Roller tube", "discounts": "WELCOME10", "store": "Eva, sales",
	} {
		p.goTo("#/" + view)
		p.sees(sees)
	}
	keyOf(t, redis, "--revoke", "Eva, sales")
	p.goTo("#/orders?show=all")
	p.sees("Your key was refused, so the page has forgotten it.")
	p.wantForgotten(key)
	p.reload()
	p.sees("Your key")
	p.wantNoFaults()
}
