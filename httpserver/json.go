package httpserver

import (
	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/answers"
	"cartd/internal/openapi"
)

// Shapes and writers of answers that are not rows of package answers yet.
var moneyShape = answers.Money.Schema

// listOf returns the shape of a page of rows.
func listOf(name string, row *openapi.Schema) *openapi.Schema {
	return openapi.Object(name).
		Has("data", openapi.List(row), "").
		Has("links", answers.PageLinks.Schema, "").
		Has("meta", answers.PageMeta.Schema, "")
}

// appendPages writes links and meta, and ends the envelope.
func (x *exchange) appendPages(dst []byte, p page) []byte {
	pages := x.pages(p)
	dst = answers.PageLinks.Append(append(dst, `,"links":`...), pages)
	return append(answers.PageMeta.Append(append(dst, `,"meta":`...), pages), '}')
}

// appendComma writes the comma between entries of a list: nothing at index 0.
func appendComma(dst []byte, index int) []byte {
	if index == 0 {
		return dst
	}
	return append(dst, ',')
}

func appendStrings(dst []byte, list []string) []byte { return answers.Texts.Append(dst, list) }

func appendText(dst []byte, text string) []byte { return answers.TextOrNull.Append(dst, text) }

func appendString(dst []byte, text string) []byte { return answers.AppendString(dst, text) }

func appendUUID(dst []byte, id uuid.UUID) []byte { return answers.UUID.Append(dst, id) }

func appendUUIDOrNull(dst []byte, id uuid.UUID) []byte { return answers.UUIDOrNull.Append(dst, id) }

func appendMoney(dst []byte, a commerce.Amount) []byte { return answers.Money.Append(dst, a) }

func appendAmount(dst []byte, a commerce.Amount) []byte { return answers.Amount.Append(dst, a) }

func appendInt(dst []byte, n int) []byte { return answers.Integer.Append(dst, n) }

func appendMetadata(dst []byte, m commerce.Metadata) []byte { return answers.Metadata.Append(dst, m) }
