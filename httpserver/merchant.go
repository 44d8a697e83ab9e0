package httpserver

import (
	"encoding/json"

	"cartd/commerce"
	"cartd/commerce/storefile"
	"cartd/engine"
	"cartd/httpserver/bodies"
	"cartd/internal/answers"
	"cartd/internal/openapi"
)

// merchantRows is the page size of the merchant's lists.
var merchantRows = perPage{standard: 25, max: 100}

// cursorQuery are the parameters of a list whose pages begin after a cursor.
func cursorQuery(others ...openapi.Parameter) []openapi.Parameter {
	return append(others,
		queryOf("after", openapi.Text, "`meta.next_after` of the page before."),
		queryOf("per_page", openapi.Integer.Min(1).Max(merchantRows.max).Default(merchantRows.standard), "Rows on a page. A number out of range is clamped."))
}

// cursor reads those parameters.
func (x *exchange) cursor() (after string, size int) {
	return commerce.Trim(lastArg(x, "after")), x.page(merchantRows, 0).size
}

// writeCursorPage writes a page of a list. Errors: noRoomForAnswer.
func writeCursorPage[R any](x *exchange, list answers.Kind[answers.CursorView[R]], rows []R, size int, next string) (err error) {
	if err = x.makesList(len(rows)); err != nil {
		return err
	}
	x.out = list.Append(x.out, answers.CursorView[R]{
		Rows: func(yield func(R) bool) {
			for _, row := range rows {
				if !yield(row) {
					return
				}
			}
		}, Size: size, NextAfter: next,
		Grown: func(size int) bool { err = x.grown(size); return err == nil },
	})
	return err
}

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

// tooLong refuses a parameter with more than so many characters.
func tooLong(name, text string, most int) error {
	var faults commerce.Faults
	commerce.AtMost(most)(&faults, name, text)
	if refusal := faults.Refusal(); refusal != nil {
		return refusal
	}
	return nil
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
