//go:build long

package shop

import (
	"net"
	"os/exec"
	"testing"

	"cartd/internal/process"
)

// A demo that has started again says what it has forgotten: the cart and the session.
func TestLongRestartedServer(t *testing.T) {
	listen := freeAddress(t)
	begin := func() *process.Process {
		p, err := process.Start(exec.Command(program, "serve", "--listen", listen, "--redis", "embedded", "--demo"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Address(); err != nil {
			t.Fatal(err)
		}
		return p
	}
	first := begin()
	p := visit(t, "http://"+listen).open("")
	p.logIn("ada@example.com", "northwind-ada")
	p.sees("Hello, Ada")
	p.add("book-well-dressed-window")
	first.Kill()
	p.goTo("#/products?category=tools")
	p.sees("The shop cannot be reached.", "By itself in")
	p.goTo("#/orders")
	p.sees("The shop cannot be reached.")
	p.seesNot("session has ended")
	t.Cleanup(begin().Kill)
	p.sees("Your session has ended.", "Your cart is gone: the demo has started again") // the page has repeated its request by itself
	p.wantNoFaults()
}

// freeAddress returns an address that no server listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// The answer of an ended session is ignored: a profile that was saved before the logout brings nobody back.
func TestLongAnswerOfAnEndedSession(t *testing.T) {
	n := connect(t, serve(t))
	v := visit(t, n.base)
	one, two := v.open(""), v.open("")
	one.logIn("ada@example.com", "northwind-ada")
	one.sees("Hello, Ada")
	two.goTo("#/account")
	two.sees("Hello, Ada")
	one.fill("First name", "Augusta")
	release := n.holds("PATCH", "/me")
	one.press("Save")
	one.await("a busy button", `document.querySelector("[data-busy=true]")`)
	two.press("Log out")
	two.sees("Log in")
	one.sees("For this, log in")
	release()
	one.await("the answer", `[...document.querySelectorAll(".happened tr")].some((row) => /PATCH.*contacts.me200/.test(row.textContent))`)
	one.seesNot("Augusta")
	one.sees("For this, log in", "Log in")
	one.wantNoFaults()
}
