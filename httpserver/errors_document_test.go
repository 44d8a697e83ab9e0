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
	// fieldCode is the message's code among error_codes.
	fieldCode string
}

// errorRows returns the rows of all tables, by status, then in the order of the tables.
func errorRows() (rows []errorRow) {
	for _, r := range slices.Concat(commerce.Refusals(), commerce.NamingRefusals()) {
		row := errorRow{status: statusOf[r.Kind], message: r.Message, code: r.Code, when: r.When, then: r.Then}
		if r.About != nil {
			row.fieldCode = r.About.Code
		}
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

// messageWhen returns the fault that a message states: the row's own, or that of a refusal with it.
func messageWhen(row *commerce.MessageRow) string {
	for _, r := range commerce.Refusals() {
		if row.When == "" && r.About == row {
			return r.When
		}
	}
	return row.When
}

// messageParams lists the parameters of a message, as in label, min.
func messageParams(row *commerce.MessageRow) string {
	var all []string
	for _, p := range row.Params {
		all = append(all, "`"+p.Name+"`")
	}
	if row.Unit != "" {
		all = append(all, "`unit` "+row.Unit)
	}
	return strings.Join(all, ", ")
}

func writeErrors() string {
	var out strings.Builder
	out.WriteString(`# Errors

<!-- Generated from the tables of refusals: change them and run make openapi. -->

A body that is not a success is ` + "`{message, errors?, code?}`" + `, of a disabled module ` + "`{error}`" +
		`. Decide by the status and, where there is one, by
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
		if row.fieldCode != "" {
			fmt.Fprintf(&out, ", error code `%s`", row.fieldCode)
		}
		if row.code != "" {
			fmt.Fprintf(&out, ", code `%s`", row.code)
		}
		fmt.Fprintf(&out, "\n  - When: %s\n  - Do: %s\n", row.when, row.then)
	}
	out.WriteString(`
## Messages about a field

422, in ` + "`errors`" + ` under the field's name; ` + "`message`" +
		` is the first of them. In a message the name has spaces for underscores, unless it is a path as
` + "`lines.0.quantity`" + `. A shop in another language asks for ` + "`?include=error_codes`" + `, on any request. A 422 with ` + "`errors`" + ` then has
` + "`error_codes`" + ` too, with the same fields and the same order: for each message its code and the parameters by name. Write your own text for each code:

` + "```json" + `
{"message":"The email field must not be greater than 255 characters.",
 "errors":{"email":["The email field must not be greater than 255 characters."]},
 "error_codes":{"email":[{"code":"max","max":255,"unit":"characters"}]}}
` + "```" + `

A refusal with the code cart_constraint has no ` + "`errors`" + `. Its ` + "`error_codes`" + ` names the limit with its maximum: ` + "`quantity`" + `
with quantity_above_maximum, ` + "`lines`" + ` with line_limit_reached, ` + "`cart`" + ` with total_limit_reached or cart_too_large, ` + "`code`" + ` with
code_limit_reached; in a batch and in ` + "`commerce/price`" + ` under ` + "`lines.N`" + `. Other refusals without ` + "`errors`" + ` have none:

` + "```json" + `
{"message":"Quantity exceeds the per-line maximum.","code":"cart_constraint",
 "error_codes":{"quantity":[{"code":"quantity_above_maximum","max":100}]}}
` + "```" + `

The list is closed: a release that adds a code says so. Do not confuse ` + "`error_codes`" + ` with ` + "`code`" + `, which belongs to the refusal as a whole.

| error code | parameters | message | when |
| --- | --- | --- | --- |
`)
	for _, row := range commerce.FieldMessages() {
		fmt.Fprintf(&out, "| `%s` | %s | %s | %s |\n", row.Code, messageParams(row), row.Pattern, messageWhen(row))
	}
	return out.String()
}
