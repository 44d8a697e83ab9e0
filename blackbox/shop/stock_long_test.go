//go:build long

package shop

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

const book = "10000000-0000-4000-8000-000000000901"

// The shop says how many are left, at the product and in the cart, and lets no more be taken. What
// another visitor has in the cart is not left; one's own is.
func TestLongStock(t *testing.T) {
	base := serve(t)
	p := visit(t, base).open("#/product/book-well-dressed-window")
	p.sees("In stock: 48 left")
	p.fill("Quantity", "2.4")
	p.leave()
	p.sees("It is sold by the piece: 2, not 2.4.")
	p.fill("Quantity", "49")
	p.leave()
	p.sees("Only 48 are left.", "48 cost")
	p.press("Less")
	p.press("Put into the cart")
	p.sees("Only 48 are left, 47 of them in your cart.")
	p.fill("Quantity", "1")
	p.press("Put into the cart")
	p.sees("Only 48 are left, all of them in your cart.")
	p.wantNone("Put into the cart")
	p.press("See the cart")
	p.fill("Quantity of Book: The Well-Dressed Window", "60")
	p.leave()
	p.sees("Only 48 are left.")
	p.await("the most that is left", finder+`.field("Quantity of Book: The Well-Dressed Window").value === "48"`)

	other := visit(t, base).open("#/product/book-well-dressed-window")
	other.sees("Sold out at the moment", "See others in Books and vouchers")
	other.wantNone("Put into the cart")
	other.wantNoFaults()

	p.goTo("#/checkout")
	p.sees("Continue")
	adjust(t, base, book, -40)
	p.goTo("#/cart")
	p.reload()
	p.sees("Only 8 are left.", "This cart cannot be ordered yet.", "Book: The Well-Dressed Window: 8 of 48 are there.")
	p.wantNone("Check out")
	p.goTo("#/checkout")
	p.sees("This cart cannot be ordered yet.")
	p.wantNone("Continue")
	p.goTo("#/cart")
	p.press("Take what is left")
	p.press("Check out")
	p.sees("Continue")

	// It is sold out while the visitor fills the form: the refusal takes the button's place.
	p.address("Where to")
	p.press("Continue")
	p.sees("Anything else")
	p.press("Continue")
	p.sees("What you order")
	adjust(t, base, book, -8)
	p.press("Order for")
	p.sees("Book: The Well-Dressed Window: 0 of 8 are there.")
	p.await("the end of the button", `!document.querySelector(".form-actions")`)
	p.wantNoFaults()
}

// Of a variant that is sold out the shop offers the others. Options that do not go together say so.
func TestLongOptions(t *testing.T) {
	p := visit(t, serve(t)).open("#/product/ready-made-roller-blind")
	p.sees("Choose: Colour, Size")
	p.press("Olive")
	p.press("120 × 160 cm sold out")
	p.sees("Sold out at the moment", "These are there:")
	p.wantNone("Put into the cart")
	p.press("White, 60 × 160 cm")
	p.sees("In stock: 40 left")
	p.press("Put into the cart")
	p.sees("It is in your cart.")

	p.goTo("#/product/fabric-sample")
	p.press("White")
	p.sees("Linen not with White")
	p.press("Linen")
	p.sees("White does not come with Linen. Sand does.", "Choose what goes together")
	p.press("Sand")
	p.press("Put into the cart")
	p.sees("It is in your cart.")
	p.wantNoFaults()
}

// A cart that needs a quote, and that of a company which waits for its approval, have no button that
// would be refused.
func TestLongNoButtonThatMustFail(t *testing.T) {
	p := visit(t, serve(t)).open("#/product/pergola-roof-4x3")
	p.press("Put into the cart")
	p.sees("It is in your cart.")
	p.goTo("#/checkout")
	p.sees("This cart is sold by quote", "Ask for a quote")
	p.wantNone("Continue")

	p.goTo("#/register")
	p.press("A company")
	p.fill("Company", "Ateliers Lumière")
	p.fill("E-mail", "office@lumiere.example.com")
	p.fill("Password", "compiler")
	p.press("Make the account")
	p.sees("Hello,")
	p.goTo("#/cart")
	p.press("Remove Pergola roof, 4 by 3 m")
	p.sees("Nothing in it yet")
	p.add("book-well-dressed-window")
	p.goTo("#/cart")
	p.sees("We have not approved your company yet.", "All prices are without tax.")
	p.wantNone("Check out")
	p.goTo("#/checkout")
	p.sees("We have not approved your company yet.")
	p.wantNone("Continue")
	p.press("ask for a quote")
	p.sees("under a link of its own")
	p.await("the top of the page", "scrollY === 0")
	p.press("Ask for the quote")
	p.sees("These prices hold until")
	p.wantNoFaults()
}

// adjust changes the stock of a product, as the merchant's back office does.
func adjust(t *testing.T, base, product string, by int) {
	t.Helper()
	merchant(t, http.MethodPost, base, "demo-back-office-key", "catalog/stock-adjustments",
		fmt.Sprintf(`{"product_id": %q, "quantity": %d, "reason": "test"}`, product, by))
}

// merchant sends a request of the merchant's own systems.
func merchant(t *testing.T, method, base, key, path, body string) (said []byte) {
	t.Helper()
	request, err := http.NewRequest(method, base+"/v1/api/"+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+key)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	said, err = io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode >= 300 {
		t.Fatalf("%s %s: %s, %v\n%s", method, path, answer.Status, err, said)
	}
	return said
}

// wantNone fails the test if the view has a button or a link of this name.
func (p *tab) wantNone(name string) {
	p.t.Helper()
	if eval[bool](p, fmt.Sprintf("%s.press(%s) !== undefined", finder, quoted(name))) {
		p.t.Errorf("the page has %q:\n%s", name, eval[string](p, "document.querySelector('main').innerText"))
	}
}
