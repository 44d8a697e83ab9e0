package httpserver

import (
	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/openapi"
)

// The shape of a row of the list of carts, and of its page.
var (
	cartRowShape = openapi.Object("CartRow").
			Has("id", openapi.UUID, "").
			Has("lines_count", openapi.Integer, "").
			Has("total", moneyShape, "As totals.total of the cart.").
			Has("email", openapi.Text.OrNull(), "").
			Has("created_at", openapi.Time, "").
			Has("last_activity_at", openapi.Time, "The last write.").
			Has("expires_at", openapi.Time, "")
	cartsAnswer = listOf("CartList", cartRowShape)
)

// handleCartList shows the account's active carts, newest first. A page reads its own carts only,
// and leaves out those that are gone. Showing a cart, GET commerce/carts.
func handleCartList(s *Server, x *exchange) error {
	var p page
	rows := 0
	x.out = append(x.out, `{"data":[`...)
	_, err := s.engine.EachAccountCart(&x.request, &engine.CartQuery{
		Page: func(total int) (from, to int) {
			p = x.page(cartRows, total)
			return p.bounds()
		},
		Room: x.room,
		Each: func(c *commerce.Cart) error {
			a := x.facts
			x.eval.Evaluate(c, a.Store, a.Visitor, a.Now)
			x.out = appendCartRow(appendComma(x.out, rows), c, &x.eval)
			rows++
			return x.grown()
		},
	})
	if err != nil {
		return err
	}
	x.out = x.appendPages(append(x.out, ']'), s, p)
	return nil
}

func appendCartRow(dst []byte, c *commerce.Cart, e *commerce.Evaluation) []byte {
	dst = appendUUID(append(dst, `{"id":`...), c.ID)
	dst = appendInt(append(dst, `,"lines_count":`...), len(c.Lines))
	dst = appendMoney(append(dst, `,"total":`...), e.Total)
	dst = appendText(append(dst, `,"email":`...), c.Email)
	dst = appendTime(append(dst, `,"created_at":`...), c.CreatedAt)
	dst = appendTime(append(dst, `,"last_activity_at":`...), c.UpdatedAt)
	return append(appendTime(append(dst, `,"expires_at":`...), c.ExpiresAt), '}')
}
