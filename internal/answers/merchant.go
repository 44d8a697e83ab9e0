package answers

import (
	"encoding/json"
	"iter"

	"cartd/engine"
	"cartd/internal/field"
	"cartd/internal/openapi"
)

// StoreStatus is a store as its merchant sees it.
var StoreStatus = field.Object("StoreStatus",
	field.Member("revision", Text, "Names the document that counts.", func(s *engine.StoreStatus) *string { return &s.Revision }),
	field.Member("products", Integer, "", func(s *engine.StoreStatus) *int { return &s.Products }),
	field.Member("suspended", Boolean, "", func(s *engine.StoreStatus) *bool { return &s.Suspended }),
	field.Value("closed", Boolean, "Whether the store takes no orders.", func(s *engine.StoreStatus) bool { return s.Closed != nil }),
	field.NullUnless(func(s *engine.StoreStatus) bool { return s.Closed != nil },
		field.Member("message", TextOrNull, "What visitors of a closed store read.", func(s *engine.StoreStatus) *string { return &s.Closed.Message })),
	field.Member("closed_by", field.OrNull(Names(engine.ByOperator, engine.ByMerchant)), "", func(s *engine.StoreStatus) *string { return &s.ClosedBy }),
	field.NullUnless(func(s *engine.StoreStatus) bool { return s.Warned },
		field.Member("warnings", Texts, "Those of `cartd check`; null until they are made.", func(s *engine.StoreStatus) *[]string { return &s.Warnings })),
)

// CursorView is a page of a list that says where the next one begins. NextAfter is empty at the end.
type CursorView[R any] struct {
	Rows      iter.Seq[R]
	Size      int
	NextAfter string
	Grown     func(size int) bool
}

// cursorPage is such a page of rows of a kind.
func cursorPage[R any](name string, row Kind[R]) Kind[CursorView[R]] {
	rows := rowsOf(row)
	return field.Object(name,
		field.Self("data", Kind[CursorView[R]]{Schema: rows.Schema, Append: func(dst []byte, v CursorView[R]) []byte {
			return rows.Append(dst, PageView[R]{Rows: v.Rows, Grown: v.Grown})
		}}, ""),
		field.Self("meta", field.Object("",
			field.Value("per_page", Integer, "The page size in force.", func(v CursorView[R]) int { return v.Size }),
			field.Value("next_after", TextOrNull, "The `after` of the next page; null at the end.", func(v CursorView[R]) string { return v.NextAfter }),
		), ""))
}

// Entry is an entry of a store's document, as its canonical text. EntryList is a page of them.
var (
	Entry     = Kind[json.RawMessage]{Schema: openapi.Map(openapi.Anything), Append: func(dst []byte, text json.RawMessage) []byte { return append(dst, text...) }}
	EntryList = cursorPage("EntryList", Entry)
)
