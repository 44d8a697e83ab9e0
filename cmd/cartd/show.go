package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/answers"
	"cartd/internal/commandline"
	"cartd/internal/field"
	"cartd/internal/strictjson"
	"cartd/persistence/operator"
)

// shownKind is a kind of record that cartd show can show, one row of shownKinds.
type shownKind struct {
	name string
	show func(q *query) error
}

func shownKinds() []shownKind {
	return []shownKind{
		{"cart", showCart},
		{"order", showOrder},
		{"quote", showQuote},
		{"customer", showCustomer},
		{"stock", showStock},
	}
}

// query is the record to show: of one store, or of any store if store is uuid.Nil.
type query struct {
	db    operator.Operator
	store uuid.UUID
	word  string
	// signature is the file for a quote's signature; empty if it is not written.
	signature string
	// person is true for all that a person may ask for, in place of what operators see.
	person bool
	// table is true for rows instead of JSON.
	table  bool
	stdout io.Writer
	shown  int // the records that are printed
	// stderr is for the progress of a long search.
	stderr io.Writer
}

func showUsage() string {
	var kinds []string
	for _, kind := range shownKinds() {
		kinds = append(kinds, kind.name)
	}
	return "cartd show --redis URL [--store ID] [--table] [--json] [--signature FILE] " + strings.Join(kinds, "|") + " ID"
}

func defineShow(fs *flag.FlagSet) func(*call) error {
	var from storeFlags
	from.flags(fs)
	signature := fs.String("signature", "", "`FILE` to write the signature of a quote to, a PNG")
	table := fs.Bool("table", false, "print rows for people instead of JSON")
	person := fs.Bool("json", false, "of a customer: all that a person may ask for, whole and without what only operators see")
	return func(c *call) error { return runShow(c, &from, *signature, *table, *person) }
}

// runShow shows the records of one kind with one id, each as the API has it, with what operators see beside it.
func runShow(c *call, from *storeFlags, signature string, table, person bool) error {
	if len(c.args) != 2 {
		return commandline.Usage("name a kind and an id: %s", showUsage())
	}
	q := &query{word: c.args[1], signature: signature, table: table, person: person, stdout: c.stdout, stderr: c.stderr}
	if signature != "" && c.args[0] != "quote" {
		return commandline.Usage("--signature writes the signature of a quote: %s", showUsage())
	}
	if person && (table || c.args[0] != "customer") {
		return commandline.Usage("--json writes all that a customer may ask for, without --table: %s", showUsage())
	}
	var ok bool
	if q.store, ok = commerce.ParseID(from.store); from.store != "" && !ok {
		return commandline.Usage("--store %q is no id of a store: see cartd stores", from.store)
	}
	var names []string
	for _, kind := range shownKinds() {
		names = append(names, kind.name)
		if kind.name != c.args[0] {
			continue
		}
		db, err := from.open()
		if err != nil {
			return err
		}
		defer db.Close()
		q.db = operator.New(db)
		if err = kind.show(q); errors.Is(err, operator.ErrNotFound) {
			return fmt.Errorf("there is no %s %s", kind.name, q.word)
		}
		return err
	}
	return commandline.Usage("there is no kind %q%s: %s", c.args[0], commandline.DidYouMean(c.args[0], "", names), showUsage())
}

// id returns the record's id.
func (q *query) id() (uuid.UUID, error) {
	id, ok := commerce.ParseID(q.word)
	if !ok {
		return uuid.Nil, commandline.Usage("%q is no id: give the UUID", q.word)
	}
	return id, nil
}

// printRecord prints a record. Shoppers wrote some of the texts.
func printRecord[T any](q *query, kind answers.Kind[T], record T) error {
	text := kind.Append(nil, record)
	q.shown++
	if q.table {
		if q.shown > 1 {
			fmt.Fprintln(q.stdout)
		}
		return printRows(q.stdout, text)
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, text, "", "  "); err != nil {
		return err
	}
	var printable []byte
	for line := range bytes.Lines(append(indented.Bytes(), '\n')) {
		printable = append(commandline.AppendPrintable(printable, line[:len(line)-1]), '\n')
	}
	_, err := q.stdout.Write(printable)
	return err
}

// shownAs is what is shown of a kind of records: data as in the API, and beside it what operators see.
func shownAs[T any](data answers.Field[T], operator ...answers.Field[T]) answers.Kind[T] {
	return field.Object("", data, field.Self("operator", field.Object("", operator...), ""))
}

// storeShown is the store of what is shown.
var storeShown = field.Object("",
	field.Member("id", answers.UUID, "", func(s *commerce.Store) *uuid.UUID { return &s.ID }),
	field.Member("name", answers.Text, "", func(s *commerce.Store) *string { return &s.Name }),
)

// foundShown are what operators see of every record: its store, its key in Redis, its version, and whose it is.
func foundShown[S any](customer func(S) commerce.Binding) []answers.Field[*operator.Found[S]] {
	return append(recordShown[S](),
		field.Value("customer", field.OrNull(bindingShown), "", func(f *operator.Found[S]) commerce.Binding { return customer(f.State) }))
}

func recordShown[S any]() []answers.Field[*operator.Found[S]] {
	return field.Rows(
		field.Value("store", storeShown, "", func(f *operator.Found[S]) *commerce.Store { return f.Store }),
		field.Member("key", answers.Text, "", func(f *operator.Found[S]) *string { return &f.Key }),
		field.Value("version", answers.LongNumber, "", func(f *operator.Found[S]) int64 { return int64(f.Version) }),
	)
}

var bindingShown = field.Object("",
	field.Value("id", answers.UUID, "", func(b commerce.Binding) uuid.UUID { return b.ID }),
	field.Value("guest", answers.Boolean, "", func(b commerce.Binding) bool { return b.Guest }),
)

// shownTime returns a time to the second; "" for the zero time.
func shownTime(t time.Time) string {
	if t.IsZero() || t.UnixMilli() == 0 {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04:05Z")
}

// shownAmount returns an amount with its currency.
func shownAmount(a commerce.Amount) string {
	sign := ""
	if a < 0 {
		sign, a = "-", -a
	}
	return fmt.Sprintf("%s%d.%02d %s", sign, a/100, a%100, commerce.Currency)
}

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
