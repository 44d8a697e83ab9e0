package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/commerce/storefile"
	"cartd/persistence"
	"cartd/persistence/redisdb"
)

// adminConfig is what import, key and export are told of Redis.
type adminConfig struct {
	redis   string
	tls     redisdb.TLSFiles
	timeout time.Duration
}

func (c *adminConfig) flags(fs *flag.FlagSet) {
	fs.StringVar(&c.redis, "redis", "", "`URL` of Redis, as for serve")
	tlsFlags(fs, &c.tls)
	fs.DurationVar(&c.timeout, "redis-timeout", 5*time.Second, "how long Redis may be silent")
}

// check refuses what cannot be connected to, saying what to do.
func (c *adminConfig) check() error {
	switch {
	case c.redis == "":
		return errors.New("--redis is missing: give redis://HOST:PORT/0")
	case c.redis == embedded:
		return errors.New("--redis embedded lives inside cartd serve only: give redis://HOST:PORT/0")
	case c.timeout <= 0:
		return errors.New("--redis-timeout must be above zero")
	}
	return nil
}

// open connects. The caller closes.
func (c *adminConfig) open() (*persistence.DB, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	return persistence.Open(persistence.Config{
		URL: c.redis, TLS: c.tls, Timeout: c.timeout, Decode: decodeStore, Logger: slog.New(slog.DiscardHandler),
	})
}

const importUsage = "cartd import --redis URL FILE… (plain or gzip; - is standard input)"

// runImport validates all documents, then loads each atomically.
func runImport(args []string, stdout, stderr io.Writer) error {
	var config adminConfig
	fs := flag.NewFlagSet("import", flag.ContinueOnError)
	config.flags(fs)
	var limit documentLimit
	limit.flag(fs)
	if err := parseFlags(fs, args, stdout, importUsage); err != nil {
		return err
	}
	if fs.NArg() == 0 {
		return errors.New("name at least one store document: " + importUsage)
	}
	if err := config.check(); err != nil { // before documents are read for nothing
		return err
	}
	docs, err := readImports(fs.Args(), limit, stderr)
	if err != nil {
		return err
	}
	db, err := config.open()
	if err != nil {
		return err
	}
	defer db.Close()
	for _, doc := range docs {
		if err := importStore(db, doc, stdout, stderr); err != nil {
			return err
		}
	}
	return nil
}

// readImports validates all documents, by themselves and beside each other. What
// is wrong with any is reported before anything is loaded.
func readImports(files []string, limit documentLimit, stderr io.Writer) ([]*storefile.Document, error) {
	var docs []*storefile.Document
	for _, file := range files {
		doc, err := readShown(file, limit, stderr)
		if err != nil {
			reportFaults(stderr, file, err, ", nothing was loaded")
			continue
		}
		docs = append(docs, doc)
	}
	if len(docs) < len(files) {
		return nil, errReported
	}
	return docs, together(docs)
}

// together refuses documents that cannot be loaded beside each other: two of one
// store, or of two stores with one API key. Spec: API key 2.
func together(docs []*storefile.Document) error {
	stores := map[uuid.UUID]bool{}
	for _, doc := range docs {
		if stores[doc.Store.ID] {
			return fmt.Errorf("two documents are of store %s: give one", doc.Store.ID)
		}
		stores[doc.Store.ID] = true
	}
	return keysApart(docs)
}

// keysApart refuses documents of which two stores have one API key. Spec: API key 2.
func keysApart(docs []*storefile.Document) error {
	owners := map[commerce.KeyHash]uuid.UUID{}
	for _, doc := range docs {
		for _, k := range doc.Keys {
			if owner, ok := owners[k.Hash]; ok && owner != doc.Store.ID {
				return fmt.Errorf("API key %q of store %s belongs to another store too: make a new one", k.Name, doc.Store.ID)
			}
			owners[k.Hash] = doc.Store.ID
		}
	}
	return nil
}

func importStore(db *persistence.DB, doc *storefile.Document, stdout, stderr io.Writer) error {
	began := time.Now()
	progress := startProgress(stderr)
	progress.say("store %s: writing", doc.Store.ID)
	changed, err := db.SaveStore(context.Background(), savedDocument(doc, func(written, all int) {
		progress.say("store %s: %d of %d customers written (%d %%)", doc.Store.ID, written, all, 100*written/max(all, 1))
	}), true)
	progress.done()
	if err != nil {
		return fmt.Errorf("store %s: %w", doc.Store.ID, err)
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
		Store: doc.Store.ID, Hash: doc.Hash, Settings: doc.Settings, RateLimit: doc.Store.RateLimit,
		Keys: doc.Keys, Customers: doc.Customers, Discounts: doc.Store.Discounts, Stock: doc.Store.FirstStock(), Progress: progress,
	}
}
