package main

import (
	_ "embed"
	"errors"
	"fmt"
	"io"

	"cartd/commerce"
	"cartd/commerce/storefile"
)

//go:embed demo/store.json
var demoStore []byte

// readShown reads a document and shows the progress.
func readShown(file string, limit documentLimit, stderr io.Writer) (*storefile.Document, error) {
	progress := startProgress(stderr)
	defer progress.done()
	return limit.read(file, progress.report)
}

// readDocuments reads the files of --store and the demo store. Its error has one line, with the
// first fault.
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
	return docs, checkTogether(docs)
}

func firstFault(name string, err error) error {
	var faults *storefile.Faults
	if !errors.As(err, &faults) {
		return err
	}
	return fmt.Errorf("%s has faults (%d), the first is %s: see cartd check %s", name, faults.Total(), faults.List()[0].String()+faults.List()[0].Details(), name)
}

// decodeStore decodes a store's settings from Redis.
func decodeStore(settings []byte) (*commerce.Store, error) { return storefile.ParseKept(settings) }
