package httpserver

import (
	"slices"

	"github.com/valyala/fasthttp"

	"cartd/commerce"
	"cartd/internal/answers"
	"cartd/internal/openapi"
)

var (
	cartDetails = include{answers.IncludeDetails, "adds what a page shows of a cart beside its envelope."}
	cartStock   = include{answers.IncludeStock, "adds the available stock to `details`; it costs a trip to Redis where stock is tracked."}
)

// readCartStock reads the stock of a cart whose details show it. An answer to a write is without it if it
// cannot be read: the write is done.
func (x *exchange) readCartStock(cart *commerce.Cart) error {
	if !x.includes(answers.IncludeDetails) || !x.includes(answers.IncludeStock) {
		return nil
	}
	levels, err := x.server.engine.CartLevels(x.facts.Store, cart.ID, cart.WantedItems(x.facts.Store), x.request.Deadline)
	if err == nil {
		x.stock = commerce.NewCartStock(cart, x.facts.Store, levels)
	} else if x.route.method == fasthttp.MethodGet {
		return err
	}
	return nil
}

// showsCart reports whether a success of the route has a cart envelope.
func (r *route) showsCart() bool {
	return r.api.out != nil && slices.ContainsFunc(r.api.out.Fields(), func(f openapi.Field) bool { return f.Name == answers.IncludeDetails })
}
