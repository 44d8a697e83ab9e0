package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/commandline"
	"cartd/persistence"
)

// shownKind is a kind of record that cartd show can show, one row of shownKinds.
type shownKind struct {
	name, argument string
	show           func(q *query) error
}

func shownKinds() []shownKind {
	return []shownKind{
		{"cart", "ID", showCart},
		{"order", "ID", showOrder},
		{"quote", "ID", showQuote},
		{"customer", "ID or e-mail", showCustomer},
		{"stock", "ID of a product or a variant", showStock},
	}
}

// query is the record to show: of one store, or of any store if store is uuid.Nil.
type query struct {
	db    *persistence.DB
	store uuid.UUID
	word  string
	// signature is the file for a quote's signature; empty if it is not written.
	signature string
	out       *tabwriter.Writer
	// stderr is for the progress of a long search.
	stderr io.Writer
}

func showUsage() string {
	var kinds []string
	for _, kind := range shownKinds() {
		kinds = append(kinds, kind.name)
	}
	return "cartd show --redis URL [--store ID] [--signature FILE] " + strings.Join(kinds, "|") + " ID"
}

func defineShow(fs *flag.FlagSet) func(*call) error {
	var from storeFlags
	from.flags(fs)
	signature := fs.String("signature", "", "`FILE` to write the signature of a quote to, a PNG")
	return func(c *call) error { return runShow(c, &from, *signature) }
}

// runShow shows one record in a form for people.
func runShow(c *call, from *storeFlags, signature string) error {
	if len(c.args) != 2 {
		return commandline.Usage("name a kind and an id: %s", showUsage())
	}
	q := &query{word: c.args[1], signature: signature, out: tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0), stderr: c.stderr}
	if signature != "" && c.args[0] != "quote" {
		return commandline.Usage("--signature writes the signature of a quote: %s", showUsage())
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
		var err error
		if q.db, err = from.open(); err != nil {
			return err
		}
		defer q.db.Close()
		if err = kind.show(q); errors.Is(err, persistence.ErrNotFound) {
			return fmt.Errorf("there is no %s %s", kind.name, q.word)
		} else if err != nil {
			return err
		}
		return q.out.Flush()
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

// row writes a name and a value, or nothing if the value is empty. Shoppers wrote some of the
// values.
func (q *query) row(name, format string, args ...any) {
	if value := fmt.Appendf(nil, format, args...); len(value) > 0 {
		fmt.Fprintf(q.out, "%s\t%s\n", name, commandline.AppendPrintable(nil, value))
	}
}

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
