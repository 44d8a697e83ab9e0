package httpserver

import (
	"cmp"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/answers"
)

// handleCartList shows the account's active carts, newest first. A page reads its own carts only,
// and leaves out those that are gone. docs/api/carts.md#list-of-carts.
func handleCartList(s *Server, x *exchange) error {
	if err := x.makesList(x.linkRows()); err != nil { // its rows are small
		return err
	}
	pages := new(answers.Pages)
	var readErr error
	err := appendPage(x, answers.CartList, pages, func(yield func(answers.CartRowView) bool) {
		_, readErr = s.engine.EachAccountCart(&x.request, &engine.CartQuery{
			Page: func(total int) (from, to int) {
				p := x.page(cartRows, total)
				*pages = *x.pages(p)
				return p.bounds()
			},
			Room: x.room,
			Each: func(c *commerce.Cart) error {
				a := x.facts
				x.eval.Evaluate(c, a.Store, a.Visitor, a.Now)
				if !yield(answers.CartRowView{Cart: c, Total: x.eval.Total}) {
					return noRoomForAnswer
				}
				return nil
			},
		})
	})
	return cmp.Or(readErr, err)
}
