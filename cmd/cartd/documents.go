package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"time"

	"cartd/commerce/storefile"
	"cartd/persistence"
	"cartd/persistence/stores"
)

// readShown reads a document and shows the progress.
func readShown(file string, limit documentLimit, stderr io.Writer) (*storefile.Document, error) {
	progress := startProgress(stderr)
	defer progress.done()
	return limit.read(file, progress.report)
}

// documentReader reads and validates one file.
type documentReader func(file string) (*storefile.Document, error)

// readForImport reads documents, and refuses those that an import into the Redis would refuse by what is stored
// there.
func readForImport(db *persistence.DB, read documentReader) documentReader {
	return func(file string) (*storefile.Document, error) {
		doc, err := read(file)
		if err != nil {
			return nil, err
		}
		saved := stores.DocumentOf(doc)
		saved.RefuseEmpty = true
		if err := db.JudgeImport(context.Background(), saved); err != nil {
			return nil, fmt.Errorf("%s: %w", file, refusedImport(doc, err))
		}
		return doc, nil
	}
}

// readDocuments validates all files, each by itself and all together. It reports every fault. If
// there is one, nothing is loaded.
func readDocuments(files []string, read documentReader, stderr io.Writer) ([]*storefile.Document, error) {
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
		doc, err := demoDocument(time.Now(), hook)
		return []*storefile.Document{doc}, err
	}
	return readDocuments(config.stores, func(file string) (*storefile.Document, error) {
		if config.demo && file == config.stores[0] {
			return readDemo(config, file, hook)
		}
		return config.maxDocument.read(file, func(string, ...any) {})
	}, stderr)
}

// demoStart is the start of the demo in its document. demoMoments are the moments in it that follow the
// start of the program: a sale begins ten minutes after it and lasts an hour.
var demoStart = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

var demoMoments = []time.Duration{10 * time.Minute, 70 * time.Minute}

// demoDocument is the demo store of a program that starts now. It has the hash of the embedded document:
// a further node, and a start with the Redis of an earlier one, leave the store as it is.
func demoDocument(now time.Time, hook demoWebhook) (*storefile.Document, error) {
	embedded, err := storefile.Parse(demoStore)
	if err != nil {
		return nil, err
	}
	text := demoStore
	for _, after := range demoMoments {
		moment := func(start time.Time) []byte { return []byte(start.Add(after).UTC().Format(time.RFC3339)) }
		text = bytes.ReplaceAll(text, moment(demoStart), moment(now))
	}
	demo, err := shownDocument(text, []demoWebhook{hook})
	if err == nil {
		demo.Hash = embedded.Hash
	}
	return demo, err
}
