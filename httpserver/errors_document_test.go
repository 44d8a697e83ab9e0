package httpserver

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"cartd/commerce"
)

// update makes TestErrorsDocumentIsCurrent write the document. `make openapi` sets it.
var update = flag.Bool("update", false, "write docs/api/errors.md anew")

const errorsDocument = "../docs/api/errors.md"

// docs/api/errors.md lists every refusal of the tables.
func TestErrorsDocumentIsCurrent(t *testing.T) {
	want := writeErrors()
	if *update {
		if err := os.WriteFile(errorsDocument, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got, err := os.ReadFile(errorsDocument); err != nil || string(got) != want {
		t.Errorf("%s is not current (%v): run make openapi", errorsDocument, err)
	}
}

// Every row has its cause and the client's next step.
func TestEveryRefusalIsExplained(t *testing.T) {
	for _, row := range errorRows() {
		for _, text := range []string{row.when, row.then} {
			if !strings.HasSuffix(text, ".") {
				t.Errorf("%s: %q; want a sentence", row.message, text)
			}
		}
	}
}

type errorRow struct {
	status                           int
	message, field, code, when, then string
}

// errorRows returns the rows of all tables, by status, then in the order of the tables.
func errorRows() (rows []errorRow) {
	for _, r := range slices.Concat(commerce.Refusals(), commerce.NamingRefusals()) {
		row := errorRow{statusOf[r.Kind], r.Message, "", r.Code, r.When, r.Then}
		if len(r.Fields) > 0 {
			row.field = r.Fields[0].Field
		}
		rows = append(rows, row)
	}
	for _, p := range problems {
		rows = append(rows, errorRow{status: p.status, message: p.message, when: p.when, then: p.then})
	}
	slices.SortStableFunc(rows, func(a, b errorRow) int { return a.status - b.status })
	return rows
}

// fieldMessages are the texts about a field, with the fault.
var fieldMessages = []struct{ text, when string }{
	{commerce.MsgRequired("{field}"), "It is missing, null, blank, `[]` or `{}`."},
	{commerce.MsgString("{field}"), "It is no text."},
	{commerce.MsgArray("{field}"), "It is neither a list nor a map, where one is meant."},
	{commerce.MsgBoolean("{field}"), "It is none of true, false, 1, 0, \"1\" and \"0\"."},
	{commerce.MsgUUID("{field}"), "It is no UUID of 36 characters."},
	{commerce.MsgEmail("{field}"), "It is no e-mail address."},
	{commerce.MsgInteger("{field}"), "It is no whole number."},
	{commerce.MsgMin("{field}", 0), "It is below the minimum."},
	{commerce.MsgDate("{field}"), "It is neither a date nor a time of RFC 3339."},
	{commerce.MsgNumber("{field}"), "It is neither a number nor a plain decimal text."},
	{commerce.MsgDecimals("{field}"), "It has more than three decimals."},
	{commerce.MsgPositive("{field}"), "It is 0 or less."},
	{commerce.MsgMax("{field}", "{n}"), "It is above a greatest number."},
	{commerce.MsgMaxCharacters("{field}", 50), "It is longer than so many characters."},
	{commerce.MsgMinCharacters("{field}", 8), "It is shorter than so many characters."},
	{commerce.MsgSize("{field}", 2), "It has another length."},
	{commerce.MsgMaxItems("{field}", 16), "It has more entries."},
	{commerce.MsgIn("{field}"), "It is none of the values there are, or names nothing."},
	{commerce.MsgConfirmed("{field}"), "The field of the same name with `_confirmation` is another text."},
	{commerce.MsgScalar("metadata.{key}"), "A value of metadata is a list or a map."},
	{commerce.MsgDimensionRequired("{Label}"), "A dimension was not sent."},
	{commerce.MsgDimensionWhole("{Label}"), "A dimension is no whole number."},
	{commerce.MsgDimensionMin("{Label}", 300), "A dimension is too small."},
	{commerce.MsgDimensionMax("{Label}", 3000), "A dimension is too large."},
	{commerce.MsgDimensionStep("{Label}", 10), "A dimension is between two steps."},
	{commerce.MsgDimensionUnknown(), "The product has no such dimension."},
	{commerce.MsgChoiceUnavailable(), "There is no such choice, or it can never be chosen."},
	{commerce.MsgChoiceRequires("{Choice}", "{Required choice}"), "Another choice has to be chosen too."},
	{commerce.MsgChooseOption("{Group}"), "Nothing is chosen in a group that needs a choice."},
	{commerce.MsgChooseOne("{Group}"), "Two are chosen in a group that takes one."},
}

func writeErrors() string {
	var out strings.Builder
	out.WriteString(`# Errors

<!-- Generated from the tables of refusals: change them and run make openapi. -->

A body that is not a success is ` + "`{message, errors?, code?}`" + `, of a disabled module ` + "`{error}`" + `. Decide by the status and, where there is one, by
the code; texts are for people. More codes may come. The operations of [openapi.json](../openapi.json) list the refusals that each may answer.
`)
	status := 0
	for _, row := range errorRows() {
		if row.status != status {
			status = row.status
			fmt.Fprintf(&out, "\n## %d %s\n\n", status, http.StatusText(status))
		}
		fmt.Fprintf(&out, "- `%s`", row.message)
		if row.field != "" {
			fmt.Fprintf(&out, ", field `%s`", row.field)
		}
		if row.code != "" {
			fmt.Fprintf(&out, ", code `%s`", row.code)
		}
		fmt.Fprintf(&out, "\n  - When: %s\n  - Do: %s\n", row.when, row.then)
	}
	out.WriteString(`
## Messages about a field

422, in ` + "`errors`" + ` under the field's name; ` + "`message`" + ` is the first of them. In a message the name has spaces for underscores, unless it is a path as
` + "`lines.0.quantity`" + `. The numbers are examples. They have no code, but for those of a configuration on a line add: INVALID_CONFIGURATION.

| message | when |
| --- | --- |
`)
	for _, m := range fieldMessages {
		fmt.Fprintf(&out, "| %s | %s |\n", m.text, m.when)
	}
	return out.String()
}
