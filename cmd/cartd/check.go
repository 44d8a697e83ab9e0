package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"cartd/commerce/catalogue"
	"cartd/commerce/storefile"
	"cartd/internal/commandline"
	"cartd/persistence"
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
