package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"cartd/commerce/catalogue"
	"cartd/commerce/storefile"
	"cartd/internal/commandline"
	"cartd/persistence"
	"cartd/persistence/operator"
	"cartd/persistence/stores"
)

const checkUsage = "cartd check [--json] [--redis URL] FILE… (plain or gzip; - is standard input), or cartd check --redis URL"

func defineCheck(fs *flag.FlagSet) func(*call) error {
	var limit documentLimit
	limit.flag(fs)
	var from redisFlags
	from.flags(fs, adminSilence)
	asJSON := fs.Bool("json", false, "print one JSON list with an entry for each file, instead of text")
	return func(c *call) error {
		read := func(file string) (*storefile.Document, error) { return readShown(file, limit, c.stderr) }
		warn := warningsOf
		switch asked := from.url != os.Getenv(twin("redis")) || from.file != os.Getenv(twin("redis-file")); {
		case len(c.args) == 0 && from.url == "" && from.file == "":
			return commandline.Usage("name at least one store document: %s", checkUsage)
		case len(c.args) == 0:
			return checkRedis(c, &from, *asJSON)
		case asked: // the environment alone does not ask
			db, err := from.open()
			if err != nil {
				return err
			}
			defer db.Close()
			read, warn = readForImport(db, read), warningsOfImport(db)
		}
		if *asJSON {
			return checkAsJSON(c, read, warn)
		}
		return runCheck(c, read, warn)
	}
}

// runCheck validates store documents and lists every fault.
func runCheck(c *call, read documentReader, warn warner) error {
	var failed error
	var docs []*storefile.Document
	for _, file := range c.args {
		doc, err := read(file)
		var warnings []string
		if err == nil {
			warnings, err = warn(doc)
		}
		if err != nil {
			reportFaults(c.stderr, file, err, "")
			failed = errReported
			continue
		}
		fmt.Fprintf(c.stdout, "%s: ok, store %s %q with %s, %s and %s\n",
			file, doc.Store.ID, doc.Store.Name, numberOf(len(doc.Store.Products), "product"), numberOf(len(doc.Customers), "customer"), numberOf(len(doc.Keys), "key"))
		for _, warning := range warnings {
			fmt.Fprintf(c.stdout, "%s: warning: %s\n", file, commandline.AppendPrintable(nil, []byte(warning)))
		}
		docs = append(docs, doc)
	}
	return cmp.Or(checkTogether(docs), failed)
}

// warner lists what is doubtful about a correct document.
type warner func(*storefile.Document) ([]string, error)

// warningsOfImport also lists what an import takes from accounts in Redis.
func warningsOfImport(db *persistence.DB) warner {
	return func(doc *storefile.Document) ([]string, error) {
		all, err := warningsOf(doc)
		if err != nil {
			return nil, err
		}
		taken, err := takenExternalIDs(db, doc)
		return append(all, taken...), err
	}
}

// warningsOf lists what a correct document should not have, and what the catalogue does not show.
func warningsOf(doc *storefile.Document) (all []string, err error) {
	return append(append(catalogue.Warnings(doc.Store, time.Now()), chargeWarnings(doc)...), sharedExternalIDs(doc)...), nil
}

// firstOf lists the first five texts.
func firstOf(texts []string) string {
	shown := strings.Join(texts[:min(len(texts), 5)], ", ")
	if len(texts) > 5 {
		shown += ", …"
	}
	return shown
}

// checkedFile is the result of cartd check --json for one file. Error is for a file that cannot be
// read, or for documents that cannot be loaded together.
type checkedFile struct {
	File   string            `json:"file"`
	OK     bool              `json:"ok"`
	Store  string            `json:"store,omitempty"`
	Name   string            `json:"name,omitempty"`
	Error  string            `json:"error,omitempty"`
	Total  int               `json:"total_faults"`
	Faults []storefile.Fault `json:"faults"`
	// Warnings are no faults: the document is loaded.
	Warnings []string `json:"warnings,omitempty"`
}

// checkAsJSON is runCheck for programs: it writes everything to standard output, as one list.
func checkAsJSON(c *call, read documentReader, warn warner) error {
	var failed error
	var docs []*storefile.Document
	files := make([]checkedFile, len(c.args))
	for i, file := range c.args {
		f := &files[i]
		f.File, f.Faults = file, []storefile.Fault{}
		doc, err := read(file)
		if err == nil {
			f.Warnings, err = warn(doc)
		}
		var faults *storefile.Faults
		switch {
		case errors.As(err, &faults):
			f.Faults, f.Total = faults.List(), faults.Total()
		case err != nil:
			f.Error = err.Error()
		default:
			f.OK, f.Store, f.Name = true, doc.Store.ID.String(), doc.Store.Name
			docs = append(docs, doc)
		}
		if !f.OK {
			failed = errReported
		}
	}
	if err := checkTogether(docs); err != nil {
		files[len(files)-1].OK, files[len(files)-1].Error, failed = false, err.Error(), errReported
	}
	out := json.NewEncoder(c.stdout)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return cmp.Or(out.Encode(files), failed)
}

// reportFaults writes every fault of a document with its details, one a line, then the number of
// faults and the outcome. Any other error is one line.
func reportFaults(w io.Writer, file string, err error, outcome string) {
	var faults *storefile.Faults
	if !errors.As(err, &faults) {
		fmt.Fprintln(w, err)
		return
	}
	out := bufio.NewWriter(w)
	defer out.Flush()
	faults.Render(storefile.DocumentTexts{W: out})
	fmt.Fprintf(out, "%s: faults: %d%s\n", file, faults.Total(), outcome)
}

// maxShownFaults is the number of records that cannot be read of which a check prints a line.
const maxShownFaults = 100

// checkRedis reads all that is in a Redis as a node of this program would, and changes nothing.
func checkRedis(c *call, from *redisFlags, asJSON bool) error {
	if asJSON {
		return commandline.Usage("--json is for files, not for --redis: %s", checkUsage)
	}
	db, err := from.open()
	if err != nil {
		return err
	}
	defer db.Close()
	var stores []uuid.UUID
	ctx, faults, wrong := context.Background(), 0, wrongEntries{call: c}
	err = operator.New(db).CheckStores(ctx, func(s operator.CheckedStore) {
		if s.Fault != nil {
			faults++
			fmt.Fprintf(c.stderr, "store %s: cannot be read: %v\n", s.ID, s.Fault)
			return
		}
		fmt.Fprintf(c.stdout, "store %s: ok, %q with %s\n", s.ID, s.Name, numberOf(s.Products, "product"))
		stores = append(stores, s.ID)
	})
	if err != nil {
		return err
	}
	progress := startProgress(c.stderr)
	read, err := operator.New(db).CheckRecords(ctx, func(key string, err error) {
		if faults++; faults <= maxShownFaults {
			fmt.Fprintf(c.stderr, "%s: cannot be read: %v\n", commandline.AppendPrintable(nil, []byte(key)), err)
		}
	}, wrong.show)
	for i := 0; i < len(stores) && err == nil; i++ {
		err = operator.New(db).CheckIndexes(ctx, stores[i], wrong.show)
	}
	progress.done()
	for _, kind := range read {
		fmt.Fprintf(c.stdout, "%s: %d read\n", kind.Name, kind.Read)
	}
	switch {
	case err != nil:
		return err
	case faults > 0:
		fmt.Fprintf(c.stderr, "cartd check: faults: %d: this release does not read what is in Redis; keep the release that runs\n", faults)
		return errReported
	}
	fmt.Fprintln(c.stdout, "this release reads all that is in Redis")
	return wrong.reported()
}

// wrongEntries are the entries of indexes that are wrong.
type wrongEntries struct {
	*call
	entries int
	stores  []string
}

// show prints an entry without its text, which may be a name.
func (w *wrongEntries) show(f operator.IndexFault) {
	if w.entries++; w.entries <= maxShownFaults {
		what := "has an entry that this record does not have"
		if f.Lacking {
			what = "lacks the entry of this record"
		}
		fmt.Fprintf(w.stderr, "%s: %s %s\n", f.Record, f.Index, what)
	}
	if id := f.Store.String(); !slices.Contains(w.stores, id) {
		w.stores = append(w.stores, id)
	}
}

// reported is the failure of a check that has found wrong entries; nil if it has found none.
func (w *wrongEntries) reported() error {
	if w.entries == 0 {
		return nil
	}
	fmt.Fprintf(w.stderr, "cartd check: wrong entries of indexes: %d: cartd reindex makes them right, of store %s\n", w.entries, strings.Join(w.stores, ", "))
	return errReported
}

// chargeWarnings lists customers whose reverse charge has no effect.
func chargeWarnings(doc *storefile.Document) (all []string) {
	charged := 0
	for i := range doc.Customers {
		if doc.Customers[i].ReverseCharge {
			charged++
		}
	}
	if charged > 0 && len(doc.Store.ReverseChargeCountries) == 0 {
		all = append(all, fmt.Sprintf("%s with reverse_charge, but store.reverse_charge_countries is empty (docs/api/tax.md)", numberOf(charged, "customer")))
	}
	return all
}

// sharedExternalIDs warns of the external ids that several customers of a document have.
func sharedExternalIDs(doc *storefile.Document) (all []string) {
	holders := map[string][]uuid.UUID{}
	for i := range doc.Customers {
		if c := &doc.Customers[i]; c.ExternalID != "" {
			holders[c.ExternalID] = append(holders[c.ExternalID], c.ID)
		}
	}
	var shared []string
	for i := range doc.Customers {
		c := &doc.Customers[i]
		if ids := holders[c.ExternalID]; len(ids) > 1 && ids[0] == c.ID {
			shared = append(shared, fmt.Sprintf("%q of %s and %s", c.ExternalID, ids[0], ids[1]))
		}
	}
	if len(shared) > 0 {
		all = append(all, fmt.Sprintf("%s of more than one customer, of whom a login finds the first: %s (docs/api/customers.md#accounts-that-live-elsewhere)",
			numberOf(len(shared), "external id"), firstOf(shared)))
	}
	return all
}

// takenExternalIDs warns of the external ids that an import takes from accounts.
func takenExternalIDs(db *persistence.DB, doc *storefile.Document) (all []string, err error) {
	found, err := db.TakenExternalIDs(context.Background(), stores.DocumentOf(doc))
	if err != nil || len(found) == 0 {
		return nil, err
	}
	taken := make([]string, len(found))
	for i, one := range found {
		taken[i] = fmt.Sprintf("%q from %s to %s", one.ExternalID, one.From, one.To)
	}
	return []string{fmt.Sprintf("an import takes %s from other accounts: %s (docs/api/customers.md#accounts-that-live-elsewhere)",
		numberOf(len(taken), "external id"), firstOf(taken))}, nil
}
