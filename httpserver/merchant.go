package httpserver

import (
	"encoding/json"
	"strconv"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/commerce/storefile"
	"cartd/engine"
	"cartd/httpserver/bodies"
	"cartd/internal/answers"
	"cartd/internal/openapi"
)

// handleStoreRead, handleStoreClose and handleStoreOpen show the state of the store: docs/api/merchant.md#the-store.
func handleStoreRead(s *Server, x *exchange) error {
	return x.writeStatus(s.engine.ReadStoreStatus(&x.request))
}

func handleStoreClose(s *Server, x *exchange) error {
	message, fault := bodies.StoreClosing.Read(x.body)
	if fault != nil {
		return fault
	}
	return x.writeStatus(s.engine.CloseStore(&x.request, message))
}

func handleStoreOpen(s *Server, x *exchange) error {
	return x.writeStatus(s.engine.OpenStore(&x.request))
}

func (x *exchange) writeStatus(status engine.StoreStatus, err error) error {
	if err == nil {
		x.out = answers.StoreStatus.Append(x.out, &status)
	}
	return err
}

// entryParameters are the parameters of handleEntryList.
var entryParameters = cursorQuery(
	queryOf("q", openapi.Text.MaxLength(maxPart), "Only entries with this part of a name, a SKU or a code. A page may then be empty, and not the last one."))

// maxPart is the maximum length of q in the merchant's lists.
const maxPart = 100

// handleEntryList shows entries of the store's document: docs/api/merchant.md#the-document.
func handleEntryList(s *Server, x *exchange) error {
	query := engine.EntryQuery{List: x.param("list")}
	query.After, query.Size = x.cursor()
	part := commerce.Trim(lastArg(x, "q"))
	if fault := tooLong("q", part, maxPart); fault != nil {
		return fault
	}
	query.Part = commerce.NormalizeText(part)
	if part != "" {
		if err := x.takes(s.stockTurns); err != nil {
			return err
		}
		defer s.stockTurns.End(x.payer())
	}
	page, err := s.engine.ReadDocumentEntries(&x.request, &query)
	if err != nil {
		return err
	}
	rows := make([]json.RawMessage, len(page.Entries))
	for i := range page.Entries {
		rows[i] = page.Entries[i].Text
	}
	return writeCursorPage(x, answers.EntryList, rows, query.Size, page.NextAfter)
}

// handleEntryRead shows an entry with the tag for If-Match of a change set.
func handleEntryRead(s *Server, x *exchange) error {
	id := x.decodedParam("id")
	if x.param("list") == storefile.SettingsList && id != storefile.SettingsList {
		return commerce.NotFound("Entry", id)
	}
	entry, err := s.engine.ReadDocumentEntry(&x.request, x.param("list"), id)
	if err != nil {
		return err
	}
	x.out = answers.Entry.Append(x.out, entry.Text)
	x.tag = append(x.tag[:0], entry.Tag...)
	x.ctx.Response.Header.SetCanonical(headerETag, x.tag)
	x.vary(variesWithKey)
	return x.ifChanged()
}

// idText is an id as a text; empty for zero.
func idText(id uuid.UUID) string {
	if id == uuid.Nil {
		return ""
	}
	return id.String()
}

// levelParameters are the parameters of handleLevelList.
var levelParameters = cursorQuery(
	queryOf("ids[]", openapi.List(openapi.Text).MaxItems(commerce.MaxStockIDs), "Products and variants, in this order; unknown ones are left out."),
	queryOf("sku", openapi.Text, "The exact SKU of a product or a variant."),
	queryOf("below", openapi.Number, "Tracked items of which less is available. A page looks at 2,000 items: it may be empty, and not the last one."))

// levelRefusals are examples of the refusals of handleLevelList.
var levelRefusals = []*commerce.Refusal{faultOf("ids", commerce.MsgRequired("ids")), faultOf("ids", commerce.MsgMaxItems("ids", commerce.MaxStockIDs))}

// handleLevelList shows the stock: docs/api/merchant.md#stock.
func handleLevelList(s *Server, x *exchange) error {
	var faults commerce.Faults
	query := engine.LevelQuery{SKU: commerce.Trim(lastArg(x, "sku"))}
	ids := 0
	for key, value := range x.ctx.QueryArgs().All() {
		if listName(string(key)) == "ids" {
			ids++
			query.IDs = appendID(query.IDs, value)
		}
	}
	if ids > commerce.MaxStockIDs {
		faults.Add("ids", commerce.MsgMaxItems("ids", commerce.MaxStockIDs))
	}
	if text := commerce.Trim(lastArg(x, "below")); text != "" {
		below := faults.Quantity("below", true, text)
		query.Below = &below
	}
	if ids == 0 && query.SKU == "" && query.Below == nil && faults.Refusal() == nil {
		faults.Add("ids", commerce.MsgRequired("ids"))
	}
	query.After = idArg(x, &faults, "after")
	_, query.Size = x.cursor()
	if refusal := faults.Refusal(); refusal != nil {
		return refusal
	}
	if query.Below != nil {
		if err := x.takes(s.stockTurns); err != nil {
			return err
		}
		defer s.stockTurns.End(x.payer())
	}
	page, err := s.engine.ReadLevels(&x.request, &query)
	if err != nil {
		return err
	}
	return writeCursorPage(x, answers.StockRowList, page.Rows, query.Size, idText(page.NextAfter))
}

// handleWebhookList shows the queues of the store's webhooks.
func handleWebhookList(s *Server, x *exchange) error {
	queues, err := s.engine.ReadWebhooks(&x.request)
	if err == nil {
		x.out = answers.Webhooks.Append(x.out, queues)
	}
	return err
}

// The days of a summary.
const (
	maxDays      = 31
	standardDays = 30
)

// handleSummary shows what a merchant sees first of a store.
func handleSummary(s *Server, x *exchange) error {
	days := standardDays
	if text := commerce.Trim(lastArg(x, "days")); text != "" {
		var faults commerce.Faults
		days = int(faults.Within("days", text, 1, maxDays))
		if refusal := faults.Refusal(); refusal != nil {
			return refusal
		}
	}
	summary, err := s.engine.ReadSummary(&x.request, days)
	if err != nil {
		return err
	}
	x.out = answers.Summary.Append(x.out, &summary)
	return nil
}

// handleHistory shows who has changed what.
func handleHistory(s *Server, x *exchange) error {
	page, err := s.engine.ReadHistory(&x.request, commerce.Trim(lastArg(x, "after")))
	if err != nil {
		return err
	}
	return writeCursorPage(x, answers.History, page.Rows, historyRows, page.NextAfter)
}

// historyRows is the number of rows of a page of the history.
const historyRows = 100

// shortCart is the number of characters of a cart's id that its shopper reads out.
const shortCart = 8

// storeCartParameters are the parameters of handleStoreCartList.
var storeCartParameters = cursorQuery(
	queryOf("customer_id", openapi.UUID, "The active carts of this account, the newest first."),
	queryOf("short", openapi.Text.MinLength(shortCart).MaxLength(shortCart),
		"Carts whose ids begin so. A page looks at 2,000 keys of Redis: it may be empty, and not the last one."))

// storeCartRefusals are examples of the refusals of handleStoreCartList.
var storeCartRefusals = []*commerce.Refusal{faultOf("customer_id", commerce.MsgRequired("customer_id")), faultOf("short", commerce.MsgSize("short", shortCart))}

// handleStoreCartList finds carts: docs/api/merchant.md#carts.
func handleStoreCartList(s *Server, x *exchange) error {
	var faults commerce.Faults
	customer, short := idArg(x, &faults, "customer_id"), commerce.LowerText(commerce.Trim(lastArg(x, "short")))
	switch {
	case short == "" && customer == uuid.Nil && faults.Refusal() == nil:
		faults.Add("customer_id", commerce.MsgRequired("customer_id"))
	case short != "" && !isHex(short):
		faults.Add("short", commerce.MsgSize("short", shortCart))
	}
	if refusal := faults.Refusal(); refusal != nil {
		return refusal
	}
	var rows []answers.CartRowView
	each := func(c *commerce.Cart) error {
		x.eval.Evaluate(c, x.facts.Store, commerce.Visitor{}, x.facts.Now)
		rows = append(rows, answers.CartRowView{Cart: c, Total: x.eval.Total})
		return nil
	}
	after, size := x.cursor()
	if short != "" {
		next, err := s.engine.FindCarts(&x.request, short, after, each)
		if err != nil {
			return err
		}
		return writeCursorPage(x, answers.StoreCartList, rows, size, next)
	}
	from, _ := wholeNumber(after)
	from = max(from, 0)
	next := ""
	_, err := s.engine.EachCustomerCart(&x.request, customer, &engine.CartQuery{
		Page: func(total int) (int, int) {
			if from+size < total {
				next = strconv.Itoa(from + size)
			}
			return min(from, total), min(from+size, total)
		}, Room: x.room, Each: each,
	})
	if err != nil {
		return err
	}
	return writeCursorPage(x, answers.StoreCartList, rows, size, next)
}

// isHex reports whether a text is the beginning of an id.
func isHex(text string) bool {
	_, err := strconv.ParseUint(text, 16, 64)
	return err == nil && len(text) == shortCart
}

// storeCartIncludes are the additions to a cart that the merchant reads.
var storeCartIncludes = []include{
	{"explain", "adds the calculation of every amount."}, {answers.IncludeChecks, "adds the refusals that a checkout would get now."},
}

// handleStoreCartRead shows a cart in the context of its customer, in any status.
func handleStoreCartRead(s *Server, x *exchange) error {
	var ok bool
	if x.request.CartID, ok = commerce.ParseID(x.param("id")); !ok {
		return commerce.NotFound("Cart", x.param("id"))
	}
	record, err := s.engine.ReadStoreCart(&x.request)
	if err != nil {
		return err
	}
	cart := record.State
	if err = x.readCartStock(cart); err != nil {
		return err
	}
	var checks []commerce.CheckoutCheck
	explained, checked := x.includes("explain"), x.includes(answers.IncludeChecks)
	if explained || checked {
		if checks, err = s.checks(x, cart); err != nil {
			return err
		}
	}
	if explained {
		if err = x.takes(s.explaining); err != nil {
			return err
		}
		defer s.explaining.End(x.facts.Store.ID)
	}
	if err = x.makesRecord(2 * record.Size); err != nil {
		return err
	}
	a := x.facts
	x.eval.Evaluate(cart, a.Store, a.Visitor, a.Now)
	view := answers.StoreCartView{CartAnswerView: x.cartView(), Checks: checks, HasChecks: checked}
	if explained {
		view.Explanation = &answers.ExplanationView{Explanation: commerce.Explain(cart, a.Store, a.Visitor, a.Now, nil), Checks: checks}
	}
	x.out = answers.StoreCart.Append(x.out, view)
	return x.answerVersion(record.Stamp.Version(0), nil)
}
