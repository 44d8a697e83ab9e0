package httpserver

import (
	"slices"

	"github.com/google/uuid"
	"github.com/valyala/fasthttp"

	"cartd/commerce"
	"cartd/httpserver/bodies"
	"cartd/internal/answers"
	"cartd/internal/openapi"
)

// stockRefusals are the refusals of an adjustment.
var stockRefusals = []*commerce.Refusal{
	commerce.ProductUnavailable, commerce.ChooseVariant.Plain(), commerce.VariantUnavailable.Plain(), commerce.NoVariants.Plain(),
	commerce.ConfigurableHasNoVariants.Plain(), commerce.StockUntracked, commerce.StockBelowZero, commerce.StockAboveMaximum,
}

// handleStockAvailability shows the stock of products and variants.
func handleStockAvailability(s *Server, x *exchange) error {
	asked, fault := decodeStockQuery(x.ctx.QueryArgs())
	if fault != nil {
		return fault
	}
	rows := x.facts.Store.Availability(asked.products, asked.variants)
	p := x.page(stockRows, len(rows))
	from, to := p.bounds()
	rows = rows[from:to]
	views, err := x.readAvailable(asked.cart, rows)
	if err != nil {
		return err
	}
	return writePage(x, answers.AvailabilityList, p, func(yield func(answers.AvailabilityView) bool) {
		for _, view := range views {
			if !yield(view) {
				return
			}
		}
	})
}

// readAvailable reads what is available of each row to a cart: the sum of its items.
func (x *exchange) readAvailable(cart uuid.UUID, rows []commerce.Availability) ([]answers.AvailabilityView, error) {
	views, items := make([]answers.AvailabilityView, len(rows)), 0
	for i := range rows {
		views[i].Availability = &rows[i]
		items += rows[i].Items()
	}
	if items == 0 {
		return views, nil
	}
	cart, err := x.server.engine.HoldingCart(&x.request, cart)
	if err != nil {
		return nil, err
	}
	store := x.facts.Store
	reading, err := x.readStock(cart, items, func(row int, item uuid.UUID, level commerce.StockLevel) {
		views[row].Add(level, store.Backorder(item).From)
	})
	if err != nil {
		return nil, err
	}
	defer reading.end()
	for i := range rows {
		for item := range rows[i].EachItem {
			if err := reading.add(i, item); err != nil {
				return nil, err
			}
		}
	}
	return views, reading.flush()
}

// handleStockAdjust changes the stock on hand.
func handleStockAdjust(s *Server, x *exchange) error {
	request := &x.request
	request.Idempotency, x.keyFault = x.idempotency(x.storeScope()...)
	if x.keyFault != nil {
		return x.keyFault
	}
	adjustment, fault := bodies.StockAdjustment.Read(x.body)
	if fault != nil {
		return fault
	}
	adjusted, err := s.engine.AdjustStock(request, &adjustment)
	if err != nil {
		return err
	}
	x.setReplayed(adjusted.Replayed)
	x.out = answers.StockLevel.Append(x.out, answers.StockLevelView{
		ProductID: adjustment.ProductID, VariantID: adjustment.VariantID, Level: adjusted.Level,
	})
	return nil
}

// stockQuery are the products and variants whose stock is asked for.
type stockQuery struct {
	products, variants []uuid.UUID
	// cart is the cart whose own hold counts as available; zero for none.
	cart uuid.UUID
}

// decodeStockQuery reads lists of ids as product_ids[]=…, product_ids[0]=… or product_ids=…. A
// value that is no id is left out, like an unknown id, but counts for the limit.
func decodeStockQuery(args *fasthttp.Args) (stockQuery, *commerce.Refusal) {
	var q stockQuery
	var products, variants int
	for key, value := range args.All() {
		switch listName(string(key)) {
		case "product_ids":
			products++
			q.products = appendID(q.products, value)
		case "variant_ids":
			variants++
			q.variants = appendID(q.variants, value)
		case "cart_id":
			q.cart, _ = commerce.ParseID(string(value))
		}
	}
	return q, commerce.CheckStockIDs(products, variants)
}

// stockQueryRefusals is an example of the refusals of decodeStockQuery.
var stockQueryRefusals = []*commerce.Refusal{faultOf("product_ids", commerce.MsgMaxItems("product_ids", commerce.MaxStockIDs))}

// stockQueryParameters are the parameters that decodeStockQuery reads.
var stockQueryParameters = []openapi.Parameter{
	queryOf("product_ids[]", openapi.List(openapi.Text), "Products. At most 100 ids, variants included; unknown ones are left out."),
	queryOf("variant_ids[]", openapi.List(openapi.Text), "Variants."),
	queryOf("cart_id", openapi.Text, "A cart: its own hold counts as available."),
}

const (
	// stockRead is the maximum number of items of one trip to Redis. docs/design.md#bounded.
	stockRead = 2000
	// smallStock is the number of items up to which a request reads stock without a turn.
	smallStock = 200
	// stockItemBytes is the memory that the reading of one item takes at a time: its id, also as a
	// text, the three numbers of the reply, the level.
	stockItemBytes = 400
	// stockTurns is the number of stores whose large readings are done at a time.
	stockTurns = 4
)

// stockReading reads the stock of any number of items, some at a time, and passes each level on
// together with the number of its owner. Its memory counts in the budget of answers. A store has one
// large reading at a time, so that the requests of other stores come in between its trips.
type stockReading struct {
	exchange *exchange
	// cart is the cart whose own hold counts as available; zero for none.
	cart uuid.UUID
	pass func(owner int, item uuid.UUID, level commerce.StockLevel)

	items  []uuid.UUID
	owners []int32
	// reserved are the bytes that are counted; turn is true while the store's turn is taken.
	reserved int
	turn     bool
}

// readStock begins to read the stock of at most n items. The caller ends the reading.
func (x *exchange) readStock(cart uuid.UUID, n int, pass func(int, uuid.UUID, commerce.StockLevel)) (*stockReading, error) {
	r := &stockReading{exchange: x, cart: cart, pass: pass}
	if n > smallStock {
		if err := x.takes(x.server.stockTurns); err != nil {
			return nil, err
		}
		r.turn = true
	}
	n = min(n, stockRead)
	if err := x.room(n * stockItemBytes); err != nil {
		r.end()
		return nil, err
	}
	r.reserved = n * stockItemBytes
	r.items, r.owners = make([]uuid.UUID, 0, n), make([]int32, 0, n)
	return r, nil
}

// add reads the stock of an item, now or later.
func (r *stockReading) add(owner int, item uuid.UUID) error {
	r.items, r.owners = append(r.items, item), append(r.owners, int32(owner))
	if len(r.items) < stockRead {
		return nil
	}
	return r.flush()
}

// flush reads the items that were added since the last trip.
func (r *stockReading) flush() error {
	if len(r.items) == 0 {
		return nil
	}
	x := r.exchange
	levels, err := x.server.engine.StockLevels(x.request.Store, r.cart, r.items, x.request.Deadline)
	if err != nil {
		return err
	}
	for i, level := range levels {
		r.pass(int(r.owners[i]), r.items[i], level)
	}
	r.items, r.owners = r.items[:0], r.owners[:0]
	return nil
}

// end gives the turn and the memory back.
func (r *stockReading) end() {
	_ = r.exchange.room(-r.reserved)
	if r.turn {
		r.exchange.server.stockTurns.End(r.exchange.request.Store.ID)
	}
}

// readProductStock reads the stock that a page of products shows: for each product with stock its state,
// then that of each of its variants that is shown. A product is in stock if any active variant is; where none
// of those that are shown is, further ones are read until one is.
func (x *exchange) readProductStock(products []*commerce.Product, shown int) ([]commerce.StockState, error) {
	var all []soldProduct
	items := 0
	for _, p := range products {
		if x.facts.Store.ShowsStock(p) {
			all = append(all, soldProduct{Product: p, at: items})
			items++
			if len(p.Variants) > 0 {
				items += min(p.SoldItems(), shown)
			}
		}
	}
	if items == 0 {
		return nil, nil
	}
	states := make([]commerce.StockState, items)
	err := x.readItems(states, items, func(r *stockReading) error {
		for i := range all {
			if err := all[i].readShown(r, shown); err != nil {
				return err
			}
		}
		return r.flush()
	})
	if err != nil {
		return nil, err
	}
	for i := range all {
		all[i].sum(states)
	}
	unread := slices.DeleteFunc(all, func(p soldProduct) bool { return p.decided(states) })
	if len(unread) == 0 {
		return states, nil
	}
	items = 0
	for i := range unread {
		items += unread[i].SoldItems() - unread[i].shown
	}
	return states, x.readItems(states, items, func(r *stockReading) error { return readFurther(r, unread, states) })
}

// readItems reads the stock of at most n items, and notes their states.
func (x *exchange) readItems(states []commerce.StockState, n int, read func(*stockReading) error) error {
	store := x.facts.Store
	r, err := x.readStock(uuid.Nil, n, func(at int, item uuid.UUID, level commerce.StockLevel) {
		states[at].Join(level.State(store.Backorder(item).From))
	})
	if err != nil {
		return err
	}
	defer r.end()
	return read(r)
}

// readFurther reads further variants of products, a few of each at a time, until each product has one in
// stock or no more variants.
func readFurther(r *stockReading, unread []soldProduct, states []commerce.StockState) error {
	for step := answers.ListedVariants; len(unread) > 0; step *= 2 {
		for i := range unread {
			if err := unread[i].readNext(r, min(step, max(1, stockRead/len(unread)))); err != nil {
				return err
			}
		}
		if err := r.flush(); err != nil {
			return err
		}
		unread = slices.DeleteFunc(unread, func(p soldProduct) bool { return p.decided(states) })
	}
	return nil
}

// soldProduct is a product whose stock is being read.
type soldProduct struct {
	*commerce.Product
	// at is the place of its status. Those of its shown variants follow.
	at int
	// shown is the number of its shown variants, next the index of the first variant that is not read.
	shown, next int
}

// readShown reads the product itself or, if it has variants, those that are shown.
func (p *soldProduct) readShown(r *stockReading, shown int) error {
	if len(p.Variants) == 0 {
		return r.add(p.at, p.ID)
	}
	for ; p.next < len(p.Variants) && p.shown < shown; p.next++ {
		if v := &p.Variants[p.next]; v.Active {
			p.shown++
			if err := r.add(p.at+p.shown, v.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// readNext reads at most n further variants. Their stock counts for the product.
func (p *soldProduct) readNext(r *stockReading, n int) error {
	for ; p.next < len(p.Variants) && n > 0; p.next++ {
		if v := &p.Variants[p.next]; v.Active {
			n--
			if err := r.add(p.at, v.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// sum adds the states of the shown variants to the product's.
func (p *soldProduct) sum(states []commerce.StockState) {
	for _, shown := range states[p.at+1 : p.at+1+p.shown] {
		states[p.at].Join(shown)
	}
}

// decided reports whether no further variant can change the product's state.
func (p *soldProduct) decided(states []commerce.StockState) bool {
	return states[p.at].Status == commerce.StockIn || p.next == len(p.Variants)
}
