package main

import (
	"io"

	"cartd/commerce"
	"cartd/commerce/storefile"
)

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

// startDocuments reads the files of --store. With --demo the first document is the one that the shop
// shows: that of the first file, or the demo store.
func startDocuments(config *serveConfig, hook demoWebhook, stderr io.Writer) ([]*storefile.Document, error) {
	if config.demo && !config.ownCatalogue() {
		doc, err := demoDocument(demoStore, hook)
		return []*storefile.Document{doc}, err
	}
	return readDocuments(config.stores, func(file string) (*storefile.Document, error) {
		if config.demo && file == config.stores[0] {
			return readDemo(config, file, hook)
		}
		return config.maxDocument.read(file, func(string, ...any) {})
	}, stderr)
}

// decodeStore decodes a store's settings from Redis.
func decodeStore(settings []byte) (*commerce.Store, error) { return storefile.ParseKept(settings) }
