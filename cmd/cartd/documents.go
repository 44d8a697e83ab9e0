package main

import (
	_ "embed"
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

// readDocuments validates all files, each by itself and all together. It reports every fault. If
// there is one, nothing is loaded.
func readDocuments(files []string, read func(file string) (*storefile.Document, error), stderr io.Writer) ([]*storefile.Document, error) {
	var docs []*storefile.Document
	for _, file := range files {
		doc, err := read(file)
		if err != nil {
			reportFaults(stderr, file, err, ", nothing was loaded")
			continue
		}
		docs = append(docs, doc)
	}
	if len(docs) < len(files) {
		return nil, errReported
	}
	return docs, checkTogether(docs)
}

// startDocuments reads the files of --store and the demo store.
func startDocuments(config *serveConfig, stderr io.Writer) ([]*storefile.Document, error) {
	quiet := func(file string) (*storefile.Document, error) {
		return config.maxDocument.read(file, func(string, ...any) {})
	}
	docs, err := readDocuments(config.stores, quiet, stderr)
	if err != nil || !config.demo {
		return docs, err
	}
	demo, err := storefile.Parse(demoStore)
	if err != nil {
		return nil, err
	}
	docs = append(docs, demo)
	return docs, checkTogether(docs)
}

// decodeStore decodes a store's settings from Redis.
func decodeStore(settings []byte) (*commerce.Store, error) { return storefile.ParseKept(settings) }
