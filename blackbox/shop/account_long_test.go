//go:build long

package shop

import "testing"

// A visitor makes an account, which takes the cart, keeps addresses, and orders with one of them.
func TestLongAccount(t *testing.T) {
	p := visit(t, serve(t)).open("#/product/book-well-dressed-window")
	p.press("Put into the cart")
	p.sees("It is in your cart.")
	p.press("Log in")
	p.press("Make an account")
	p.sees("For addresses, orders and quotes")
	p.press("Make the account")
	p.sees("E-mail is required.", "Password is required.")
	p.fill("First name", "Grace")
	p.fill("E-mail", "grace@example.com")
	p.fill("Password", "compiler")
	p.press("Make the account")
	p.sees("Hello, Grace", "grace@example.com")
	p.fill("Phone", "+31 20 555 0101")
	p.press("Save")
	p.sees("Saved.")

	p.press("Addresses")
	p.sees("No address yet.")
	p.press("Add an address")
	p.press("Add the address")
	p.sees("Name is required.", "City is required.")
	p.fill("Your name for it", "Home")
	p.address("A new address")
	p.press("Add the address")
	p.sees("Home", "Havenkade 3", "Netherlands")
	p.press("Prefer Home")
	p.sees("preferred")
	p.press("Change Home")
	p.fill("Street and number", "Havenkade 4")
	p.press("Save the address")
	p.sees("Havenkade 4")

	p.press("Cart")
	p.press("Check out")
	p.sees("You order as Grace", "Havenkade 4", "Another address")
	p.press("Continue")
	p.fill("Your reference", "PO-7")
	p.press("Continue")
	p.sees("What you order", "PO-7", "Havenkade 4")
	p.press("Order for")
	p.sees("Thank you", "order 1", "PO-7", "Havenkade 4")
	p.press("Grace")
	p.press("Orders")
	p.sees("Order 1", "1 line", "unpaid, pay until")
	p.press("Order 1")
	p.sees("Book: The Well-Dressed Window", "PO-7")
	p.press("Account")
	p.press("Log out")
	p.sees("Log in")
	p.goTo("#/orders")
	p.sees("For this, log in")
	p.wantNoFaults()
}

// A login takes the guest's cart and says what the account's other cart brought.
func TestLongLoginMergesCarts(t *testing.T) {
	base := serve(t)
	desk := visit(t, base).open("#/product/tubular-motor-battery")
	desk.press("Put into the cart")
	desk.sees("It is in your cart.")
	desk.logIn("ada@example.com", "northwind-ada")
	desk.sees("Hello, Ada")

	phone := visit(t, base).open("#/product/tubular-motor-battery")
	phone.press("Put into the cart")
	phone.sees("It is in your cart.")
	phone.goTo("#/product/smart-home-bridge")
	phone.sees("Smart home bridge")
	phone.press("Put into the cart")
	phone.sees("It is in your cart.")
	phone.logIn("ada@example.com", "wrong")
	phone.sees("E-mail and password do not belong together.")
	phone.logIn("ada@example.com", "northwind-ada")
	phone.sees("Hello, Ada", "Your other cart was merged into this one.", "One line stood in both")
	phone.goTo("#/cart")
	phone.sees("€287.95", "€198.00")
	phone.wantNoFaults()

	// A device without a cart takes the account's.
	tablet := visit(t, base).open("#/login")
	tablet.logIn("ada@example.com", "northwind-ada")
	tablet.sees("Hello, Ada")
	tablet.seesNot("was merged into this one")
	tablet.goTo("#/cart")
	tablet.sees("€287.95")
	tablet.wantNoFaults()

	// The first device follows to the merged cart.
	desk.goTo("#/cart")
	desk.sees("€287.95")
	desk.wantNoFaults()
}

// A company sees its own prices, without tax.
func TestLongTradePrices(t *testing.T) {
	p := visit(t, serve(t)).open("#/login")
	p.press("Van Dijk")
	p.sees("Trade")
	p.goTo("#/product/roller-tube-32")
	p.sees("from 50 m", "€3.88", "excl. tax")
	p.wantNoFaults()
}

// logIn logs in on the page for it.
func (p *tab) logIn(email, password string) {
	p.t.Helper()
	p.goTo("#/login")
	p.fill("E-mail", email)
	p.fill("Password", password)
	p.script(`document.querySelector("form.form button:not([type=button])").click()`)
}

// address fills in an address, and an e-mail where one is asked for.
func (p *tab) address(heading string) {
	p.t.Helper()
	p.sees(heading)
	if eval[bool](p, finder+`.field("E-mail") !== undefined`) {
		p.fill("E-mail", "grace@example.com")
	}
	p.fill("Name", "Grace Hopper")
	p.fill("Street and number", "Havenkade 3")
	p.fill("Postal code", "1011 AB")
	p.fill("City", "Amsterdam")
}
