package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"cartd/commerce"
	"cartd/internal/commandline"
	"cartd/internal/strictjson"
)

// printRows prints a record as rows for people: one for each value, and one for each entry of a list. Values that are null have none.
func printRows(w io.Writer, record []byte) error {
	root, err := strictjson.Parse(record)
	if err != nil {
		return err
	}
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(name, value string) {
		fmt.Fprintf(out, "%s\t%s\n", commandline.AppendPrintable(nil, []byte(name)), commandline.AppendPrintable(nil, []byte(value)))
	}
	for name, part := range root.Members() {
		if name == "data" { // the members of the record have no prefix
			name = ""
		}
		eachRow(name, part, row)
	}
	return out.Flush()
}

// eachRow yields the rows of a value. The names of its members are joined with dots.
func eachRow(name string, v strictjson.Value, row func(name, value string)) {
	switch {
	case v.Kind() == strictjson.Null:
	case v.Kind() == strictjson.Array:
		for i, entry := range v.Items() {
			row(name+"."+strconv.Itoa(i+1), onOneLine(entry, false))
		}
	case v.Kind() == strictjson.Object && !isMoney(v):
		for member, value := range v.Members() {
			eachRow(strings.TrimPrefix(name+"."+member, "."), value, row)
		}
	default:
		row(name, onOneLine(v, false))
	}
}

// onOneLine is a value in words: that of an object or a list is those of its members. A text is quoted if it is
// asked for, or if it could be taken for several of these words: what a shopper wrote looks like no other member.
func onOneLine(v strictjson.Value, quoted bool) string {
	switch {
	case v.Kind() == strictjson.String && quoted:
		return strconv.Quote(v.Text())
	case v.Kind() == strictjson.String:
		return v.Text()
	case isMoney(v):
		amount, _ := v.Get("amount")
		cents, _ := strconv.ParseInt(string(amount), 10, 64)
		return shownAmount(commerce.Amount(cents))
	case v.Kind() != strictjson.Object && v.Kind() != strictjson.Array:
		return string(v)
	}
	var words []string
	for _, entry := range v.Items() {
		words = append(words, onOneLine(entry, quoted || entry.Kind() == strictjson.String && ambiguous(entry.Text())))
	}
	for name, value := range v.Members() {
		free := quoted || name == "properties" || name == "property_labels" || value.Kind() == strictjson.String && ambiguous(value.Text())
		if text := onOneLine(value, free); value.Kind() != strictjson.Null && text != "" {
			words = append(words, name+" "+text)
		}
	}
	return strings.Join(words, ", ")
}

// ambiguous reports whether a text among others has a comma or a quotation mark.
func ambiguous(text string) bool { return strings.ContainsAny(text, `,"`) }

func isMoney(v strictjson.Value) bool {
	amount, _ := v.Get("amount")
	currency, _ := v.Get("currency")
	return v.Len() == 2 && amount.Kind() == strictjson.Number && currency.Text() == commerce.Currency
}
