package main

import (
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"cartd/commerce"
	"cartd/commerce/storefile"
	"cartd/persistence"
)

//go:embed demo/store.json
var demoStore []byte

// runCheck validates store documents and lists every fault.
func runCheck(args []string, stdout, stderr io.Writer) error {
	fs := flag.NewFlagSet("check", flag.ContinueOnError)
	if err := parseFlags(fs, args, stderr); err != nil {
		return err
	}
	if fs.NArg() == 0 {
		return errors.New("name at least one store document: cartd check FILE…")
	}
	var failed error
	for _, file := range fs.Args() {
		data, err := os.ReadFile(file)
		if err != nil {
			fmt.Fprintf(stderr, "cartd check: %v\n", err)
			failed = errReported
			continue
		}
		doc, err := storefile.Parse(data)
		if err != nil {
			listFaults(stdout, file, err)
			failed = errReported
			continue
		}
		fmt.Fprintf(stdout, "%s: ok, store %s %q with %d products, %d customers and %d keys\n",
			file, doc.Store.ID, doc.Store.Name, len(doc.Store.Products), len(doc.Customers), len(doc.Keys))
	}
	return failed
}

func listFaults(w io.Writer, file string, err error) {
	var faults *storefile.Faults
	if !errors.As(err, &faults) {
		fmt.Fprintf(w, "%s: %v\n", file, err)
		return
	}
	for _, f := range faults.List() {
		fmt.Fprintln(w, f)
	}
	fmt.Fprintf(w, "%s: %d faults\n", file, len(faults.List()))
}

// readDocuments reads the files of --store and the demo store. The error is one
// line, however many faults there are.
func readDocuments(files []string, demo bool) ([]*persistence.Document, error) {
	var docs []*persistence.Document
	add := func(name string, data []byte) error {
		doc, err := storefile.Parse(data)
		var faults *storefile.Faults
		if errors.As(err, &faults) {
			return fmt.Errorf("%s has %d faults, the first is %s: see cartd check %s", name, len(faults.List()), faults.List()[0], name)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		docs = append(docs, &persistence.Document{
			Store: doc.Store.ID, Hash: doc.Hash, Settings: doc.Settings, Keys: doc.Keys, Customers: doc.Customers,
		})
		return nil
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("store document: %w", err)
		}
		if err := add(file, data); err != nil {
			return nil, err
		}
	}
	if demo {
		if err := add("the demo store", demoStore); err != nil {
			return nil, err
		}
	}
	return docs, nil
}

// decodeStore makes a Store of the settings that a Document carried to Redis.
func decodeStore(settings []byte) (*commerce.Store, error) {
	doc, err := storefile.Parse(settings)
	if err != nil {
		return nil, err
	}
	return doc.Store, nil
}
