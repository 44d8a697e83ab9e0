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

// A second click on Save hits Save again: its message moves nothing.
func TestLongSaveStays(t *testing.T) {
	p := visit(t, serve(t)).open("")
	p.logIn("ada@example.com", "northwind-ada")
	p.sees("Hello, Ada")
	const place = `(() => { const r = document.querySelector("form[aria-label=Save] button").getBoundingClientRect(); return r.top + scrollY; })()`
	before := eval[float64](p, place)
	p.press("Save")
	p.sees("Saved.")
	if after := eval[float64](p, place); after != before {
		t.Errorf("the button moved from %v to %v", before, after)
	}
	p.wantNoFaults()
}

// What is typed survives a reload, but for passwords, and ends when it was sent.
func TestLongFormsSurviveAReload(t *testing.T) {
	p := visit(t, serve(t)).open("#/register")
	p.fill("First name", "Grace")
	p.fill("E-mail", "grace@example.com")
	p.fill("Password", "compiler")
	p.reload()
	p.sees("Make the account")
	if got := eval[string](p, `[...document.querySelectorAll("form.form input:not([type=radio])")].map((one) => one.value).join("|")`); got != "Grace||grace@example.com|" {
		t.Errorf("after the reload the form has %q", got)
	}
	p.fill("Password", "compiler")
	p.press("Make the account")
	p.sees("Hello, Grace")
	p.goTo("#/addresses")
	p.sees("No address yet.")
	p.press("Add an address")
	p.fill("City", "Haarlem")
	p.reload()
	p.sees("A new address")
	p.await("the city", `document.querySelector("[name=city]").value === "Haarlem"`)
	p.address("A new address")
	p.press("Add the address")
	p.sees("Havenkade 3")
	p.press("Add an address")
	p.await("an empty form", `document.querySelector("[name=city]").value === ""`)
	p.wantNoFaults()
}

// A forgotten password: the demo shows the link of the mail. All sessions end; the new password works, and
// is changed.
func TestLongForgottenPassword(t *testing.T) {
	v := visit(t, serve(t))
	elsewhere := v.open("#/register")
	elsewhere.fill("First name", "Grace")
	elsewhere.fill("E-mail", "grace@example.com")
	elsewhere.fill("Password", "compiler")
	elsewhere.press("Make the account")
	elsewhere.sees("Hello, Grace")

	p := visit(t, v.base).open("#/login")
	p.press("Forgot your password?")
	p.fill("E-mail", "grace@example.com")
	p.press("Send the link")
	p.sees("its mail is on its way", "Mail to grace@example.com: choose a new password")
	p.press("choose a new password")
	p.fill("New password", "short")
	p.fill("Once more", "short")
	p.press("Change the password")
	p.sees("New password must have at least 8 characters.")
	p.fill("New password", "a-better-compiler")
	p.fill("Once more", "a-better-compiler")
	p.press("Change the password")
	p.sees("all devices are logged out")
	p.press("Put away")
	p.seesNot("Mail to grace@example.com")
	p.logIn("grace@example.com", "a-better-compiler")
	p.sees("Hello, Grace")
	elsewhere.goTo("#/orders")
	elsewhere.sees("Your session has ended.")

	p.press("Change the password")
	p.fill("Password of today", "wrong")
	p.fill("New password", "the-best-compiler")
	p.fill("Once more", "the-best-compiler")
	p.press("Change it")
	p.sees("This is not your password.")
	p.choose("Language", "Nederlands")
	p.sees("Dit is niet uw wachtwoord.")
	p.choose("Taal", "English")
	p.sees("This is not your password.")
	p.fill("Password of today", "a-better-compiler")
	p.press("Change it")
	p.sees("Other devices are logged out.")
	p.wantNoFaults()
	elsewhere.wantNoFaults()
}
