package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"cartd/commerce/storefile"
	"cartd/persistence/stores"
)

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
