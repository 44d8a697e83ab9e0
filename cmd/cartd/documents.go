package main

import (
	"bufio"
	"cmp"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"

	"cartd/commerce"
	"cartd/commerce/storefile"
)

//go:embed demo/store.json
var demoStore []byte

const checkUsage = "cartd check FILE… (plain or gzip; - is standard input)"

// runCheck validates store documents and lists every fault.
func runCheck(args []string, stdout, stderr io.Writer) error {
	var limit documentLimit
	fs := flag.NewFlagSet("check", flag.ContinueOnError)
	limit.flag(fs)
	if err := parseFlags(fs, args, stdout, checkUsage); err != nil {
		return err
	}
	if fs.NArg() == 0 {
		return errors.New("name at least one store document: " + checkUsage)
	}
	var failed error
	var docs []*storefile.Document
	for _, file := range fs.Args() {
		doc, err := readShown(file, limit, stderr)
		if err != nil {
			reportFaults(stderr, file, err, "")
			failed = errReported
			continue
		}
		fmt.Fprintf(stdout, "%s: ok, store %s %q with %d products, %d customers and %d keys\n",
			file, doc.Store.ID, doc.Store.Name, len(doc.Store.Products), len(doc.Customers), len(doc.Keys))
		docs = append(docs, doc)
	}
	return cmp.Or(together(docs), failed)
}

// reportFaults says what is wrong with a document: every fault, each on a line, and
// how many there are with what follows from it; or one line for any other error.
func reportFaults(w io.Writer, file string, err error, outcome string) {
	var faults *storefile.Faults
	if !errors.As(err, &faults) {
		fmt.Fprintln(w, err)
		return
	}
	out := bufio.NewWriter(w)
	defer out.Flush()
	for _, f := range faults.List() {
		fmt.Fprintln(out, f)
	}
	fmt.Fprintf(out, "%s: faults: %d%s\n", file, faults.Total(), outcome)
}

// readShown reads a document and shows its progress.
func readShown(file string, limit documentLimit, stderr io.Writer) (*storefile.Document, error) {
	progress := startProgress(stderr)
	defer progress.done()
	return limit.read(file, progress.say)
}

// readDocuments reads the files of --store and the demo store. The error is one
// line, however many faults there are.
func readDocuments(files []string, limit documentLimit, demo bool) ([]*storefile.Document, error) {
	var docs []*storefile.Document
	for _, file := range files {
		doc, err := limit.read(file, func(string, ...any) {})
		if err != nil {
			return nil, firstFault(file, err)
		}
		docs = append(docs, doc)
	}
	if demo {
		doc, err := storefile.Parse(demoStore)
		if err != nil {
			return nil, firstFault("the demo store", err)
		}
		docs = append(docs, doc)
	}
	return docs, together(docs)
}

func firstFault(name string, err error) error {
	var faults *storefile.Faults
	if !errors.As(err, &faults) {
		return err
	}
	return fmt.Errorf("%s has faults (%d), the first is %s: see cartd check %s", name, faults.Total(), faults.List()[0], name)
}

// decodeStore makes a Store of the settings that a Document carried to Redis.
func decodeStore(settings []byte) (*commerce.Store, error) { return storefile.ParseKept(settings) }
