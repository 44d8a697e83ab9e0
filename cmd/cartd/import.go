package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/commerce/storefile"
	"cartd/internal/commandline"
	"cartd/persistence"
	"cartd/persistence/stores"
)

const importUsage = "cartd import --redis URL [--merge] [--allow-empty] [--if-revision REVISION] FILE… (plain or gzip; - is standard input)"

// importConfig has the flags of cartd import.
type importConfig struct {
	redis      redisFlags
	limit      documentLimit
	merge      bool
	ifRevision string
	allowEmpty bool
}

func defineImport(fs *flag.FlagSet) func(*call) error {
	var config importConfig
	config.redis.flags(fs, adminSilence)
	config.redis.waitFlag(fs)
	config.limit.flag(fs)
	fs.BoolVar(&config.merge, "merge", false, "the files are change sets: merge each into its store's document")
	fs.StringVar(&config.ifRevision, "if-revision", "", "refuse unless the store has this `REVISION` (cartd history shows it); for one file")
	fs.BoolVar(&config.allowEmpty, "allow-empty", false, "replace a catalogue by one without products")
	return func(c *call) error { return runImport(c, &config) }
}

// runImport validates all documents first, then loads each atomically.
func runImport(c *call, config *importConfig) error {
	redis, limit := &config.redis, config.limit
	switch {
	case len(c.args) == 0:
		return commandline.Usage("name at least one store document: %s", importUsage)
	case len(c.args) > 1 && config.ifRevision != "":
		return commandline.Usage("--if-revision is of one store: give one document with it")
	}
	if err := redis.check(); err != nil { // report a wrong flag first, without reading documents
		return err
	}
	if config.merge {
		return runMerge(c, config)
	}
	shown := func(file string) (*storefile.Document, error) { return readShown(file, limit, c.stderr) }
	docs, err := readDocuments(c.args, shown, c.stderr)
	if err != nil {
		return err
	}
	db, err := redis.open()
	if err != nil {
		return err
	}
	defer db.Close()
	for _, doc := range docs {
		if err := importStore(c, db, doc, config); err != nil {
			return err
		}
	}
	return redis.awaitReplicas(db)
}

// checkTogether refuses documents that cannot be loaded together: two of one store, or of two
// stores with one API key. Spec: API key 2.
func checkTogether(docs []*storefile.Document) error {
	stores := map[uuid.UUID]bool{}
	for _, doc := range docs {
		if stores[doc.Store.ID] {
			return fmt.Errorf("two documents are of store %s: give one", doc.Store.ID)
		}
		stores[doc.Store.ID] = true
	}
	return checkKeys(docs)
}

// checkKeys refuses documents in which two stores have one API key. Spec: API key 2.
func checkKeys(docs []*storefile.Document) error {
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

func importStore(c *call, db *persistence.DB, doc *storefile.Document, config *importConfig) error {
	began := time.Now()
	warnings, err := takenExternalIDs(db, doc)
	if err != nil {
		return refusedImport(doc, err)
	}
	progress := startProgress(c.stderr)
	progress.report("store %s: writing", doc.Store.ID)
	part := 0
	saved := stores.DocumentOf(doc)
	saved.By, saved.Progress = "cartd import", func(written, all int) {
		part = written
		progress.report("store %s: %d of %d customers written (%d %%)", doc.Store.ID, written, all, 100*written/max(all, 1))
	}
	saved.IfRevision, saved.RefuseEmpty = config.ifRevision, !config.allowEmpty
	products := numberOf(len(doc.Store.Products), "product")
	undertaken := c.begin(db, config.redis.operator, deed(doc.Store.ID, "import", products))
	changed, err := db.SaveStore(context.Background(), saved, true)
	progress.done()
	switch {
	case err != nil && part > 0:
		err = undertaken.end(numberOf(part, "customer"), err)
	case err != nil || !changed:
		undertaken.drop()
	}
	if err != nil {
		return refusedImport(doc, err)
	}
	verb := "imported"
	if !changed {
		verb, warnings = "unchanged", nil
	}
	for _, warning := range append(sharedExternalIDs(doc), warnings...) {
		fmt.Fprintf(c.stderr, "store %s: warning: %s\n", doc.Store.ID, commandline.AppendPrintable(nil, []byte(warning)))
	}
	fmt.Fprintf(c.stdout, "store %s %q: %s, %s, %s, %s, %.1f s\n",
		doc.Store.ID, doc.Store.Name, verb, products, numberOf(len(doc.Customers), "customer"),
		numberOf(len(doc.Keys), "key"), time.Since(began).Seconds())
	if changed {
		return undertaken.end(products, nil)
	}
	return nil
}

// refusedImport says which document an import has refused, or would refuse.
func refusedImport(doc *storefile.Document, err error) error {
	if errors.Is(err, stores.ErrEmpties) {
		return fmt.Errorf("store %s: %w: nothing was loaded; give --allow-empty if it is to be empty", doc.Store.ID, err)
	}
	return fmt.Errorf("store %s: %w", doc.Store.ID, err)
}

// runMerge merges change sets, each into the document of its store. It reads all of them first.
func runMerge(c *call, config *importConfig) error {
	var sets []*storefile.ChangeSet
	for _, file := range c.args {
		set, err := readChangeSet(c, config, file)
		if err != nil {
			reportFaults(c.stderr, file, err, ", nothing was loaded")
			return errReported
		}
		sets = append(sets, set)
	}
	db, err := config.redis.open()
	if err != nil {
		return err
	}
	defer db.Close()
	for i, set := range sets {
		began := time.Now()
		progress := startProgress(c.stderr)
		progress.report("store %s: merging", set.Store)
		change := &stores.Change{Set: set, By: "cartd import --merge", IfRevision: config.ifRevision}
		undertaken := c.begin(db, config.redis.operator, deed(set.Store, "merge", ""))
		done, err := db.ImportChange(context.Background(), set.Store, change)
		progress.done()
		if err != nil {
			undertaken.drop()
		}
		var faults *storefile.Faults
		if errors.As(err, &faults) {
			reportFaults(c.stderr, c.args[i], err, ", nothing of it was loaded")
			return errReported
		}
		if err != nil {
			return fmt.Errorf("store %s: %w", set.Store, err)
		}
		fmt.Fprintf(c.stdout, "store %s: merged, %s, %d changed, %d removed, revision %s, %.1f s\n",
			set.Store, numberOf(done.Products, "product"), done.Changed, done.Removed, done.Revision, time.Since(began).Seconds())
		on := fmt.Sprintf("%d changed, %d removed, revision %s", done.Changed, done.Removed, done.Revision)
		if err := undertaken.end(on, nil); err != nil {
			return err
		}
	}
	return config.redis.awaitReplicas(db)
}

// readChangeSet reads a change set and shows the progress. It must name its store.
func readChangeSet(c *call, config *importConfig, file string) (*storefile.ChangeSet, error) {
	progress := startProgress(c.stderr)
	defer progress.done()
	data, err := config.limit.readAll("change set", file, progress.report)
	if err != nil {
		return nil, err
	}
	set, err := storefile.ParseChangeSet(data, storefile.OperatorSettings)
	if err == nil && set.Store == uuid.Nil {
		err = fmt.Errorf("change set %s: store.id is missing: it says which store to change", file)
	}
	return set, err
}
