package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"time"

	"cartd/commerce/storefile"
	"cartd/persistence"
)

// adminConfig is what import, key and export are told of Redis.
type adminConfig struct {
	redis   string
	timeout time.Duration
}

func (c *adminConfig) flags(fs *flag.FlagSet) {
	fs.StringVar(&c.redis, "redis", "", "`URL` of Redis, as for serve")
	fs.DurationVar(&c.timeout, "redis-timeout", 5*time.Second, "how long Redis may be silent")
}

// open connects. The caller closes.
func (c *adminConfig) open() (*persistence.DB, error) {
	switch c.redis {
	case "":
		return nil, errors.New("--redis is missing: give redis://HOST:PORT/0")
	case embedded:
		return nil, errors.New("--redis embedded lives inside cartd serve only: give redis://HOST:PORT/0")
	}
	return persistence.Open(persistence.Config{
		URL: c.redis, Timeout: c.timeout, Decode: decodeStore, Logger: slog.New(slog.DiscardHandler),
	})
}

// runImport validates all documents, then loads each atomically.
func runImport(args []string, stdout, stderr io.Writer) error {
	var config adminConfig
	fs := flag.NewFlagSet("import", flag.ContinueOnError)
	config.flags(fs)
	if err := parseFlags(fs, args, stderr); err != nil {
		return err
	}
	if fs.NArg() == 0 {
		return errors.New("name at least one store document: cartd import --redis URL FILE… (- is standard input)")
	}
	progress := newProgress(stderr)
	var docs []*storefile.Document
	for _, file := range fs.Args() {
		doc, err := readDocument(file, progress)
		if err != nil {
			progress.done()
			return reportFaults(stderr, file, err)
		}
		docs = append(docs, doc)
	}
	progress.done()
	db, err := config.open()
	if err != nil {
		return err
	}
	defer db.Close()
	for _, doc := range docs {
		if err := importStore(db, doc, progress, stdout); err != nil {
			return err
		}
	}
	return nil
}

func importStore(db *persistence.DB, doc *storefile.Document, progress *progress, stdout io.Writer) error {
	began := time.Now()
	changed, err := db.SaveStore(context.Background(), savedDocument(doc, progress.customers), true)
	progress.done()
	if err != nil {
		return fmt.Errorf("store %s: %w: nothing of its settings has changed, import it again", doc.Store.ID, err)
	}
	verb := "imported"
	if !changed {
		verb = "unchanged"
	}
	fmt.Fprintf(stdout, "store %s %q: %s, %d products, %d customers, %d keys, %.1f s\n",
		doc.Store.ID, doc.Store.Name, verb, len(doc.Store.Products), len(doc.Customers), len(doc.Keys), time.Since(began).Seconds())
	return nil
}

// savedDocument is a document as persistence takes it.
func savedDocument(doc *storefile.Document, progress func(done, all int)) *persistence.Document {
	return &persistence.Document{
		Store: doc.Store.ID, Hash: doc.Hash, Settings: doc.Settings,
		Keys: doc.Keys, Customers: doc.Customers, Progress: progress,
	}
}
