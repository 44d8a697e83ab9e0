package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"cartd/internal/commandline"
	"cartd/persistence/operator"
)

// maxShownFaults is the number of records that cannot be read of which a check prints a line.
const maxShownFaults = 100

// checkRedis reads all that is in a Redis as a node of this program would, and changes nothing.
func checkRedis(c *call, from *redisFlags, asJSON bool) error {
	if asJSON {
		return commandline.Usage("--json is for files, not for --redis: %s", checkUsage)
	}
	db, err := from.open()
	if err != nil {
		return err
	}
	defer db.Close()
	var stores []uuid.UUID
	ctx, faults, wrong := context.Background(), 0, wrongEntries{call: c}
	err = operator.New(db).CheckStores(ctx, func(s operator.CheckedStore) {
		if s.Fault != nil {
			faults++
			fmt.Fprintf(c.stderr, "store %s: cannot be read: %v\n", s.ID, s.Fault)
			return
		}
		fmt.Fprintf(c.stdout, "store %s: ok, %q with %s\n", s.ID, s.Name, numberOf(s.Products, "product"))
		stores = append(stores, s.ID)
	})
	if err != nil {
		return err
	}
	progress := startProgress(c.stderr)
	read, err := operator.New(db).CheckRecords(ctx, func(key string, err error) {
		if faults++; faults <= maxShownFaults {
			fmt.Fprintf(c.stderr, "%s: cannot be read: %v\n", commandline.AppendPrintable(nil, []byte(key)), err)
		}
	}, wrong.show)
	for i := 0; i < len(stores) && err == nil; i++ {
		err = operator.New(db).CheckIndexes(ctx, stores[i], wrong.show)
	}
	progress.done()
	for _, kind := range read {
		fmt.Fprintf(c.stdout, "%s: %d read\n", kind.Name, kind.Read)
	}
	switch {
	case err != nil:
		return err
	case faults > 0:
		fmt.Fprintf(c.stderr, "cartd check: faults: %d: this release does not read what is in Redis; keep the release that runs\n", faults)
		return errReported
	}
	fmt.Fprintln(c.stdout, "this release reads all that is in Redis")
	return wrong.reported()
}

// wrongEntries are the entries of indexes that are wrong.
type wrongEntries struct {
	*call
	entries int
	stores  []string
}

// show prints an entry without its text, which may be a name.
func (w *wrongEntries) show(f operator.IndexFault) {
	if w.entries++; w.entries <= maxShownFaults {
		what := "has an entry that this record does not have"
		if f.Lacking {
			what = "lacks the entry of this record"
		}
		fmt.Fprintf(w.stderr, "%s: %s %s\n", f.Record, f.Index, what)
	}
	if id := f.Store.String(); !slices.Contains(w.stores, id) {
		w.stores = append(w.stores, id)
	}
}

// reported is the failure of a check that has found wrong entries; nil if it has found none.
func (w *wrongEntries) reported() error {
	if w.entries == 0 {
		return nil
	}
	fmt.Fprintf(w.stderr, "cartd check: wrong entries of indexes: %d: cartd reindex makes them right, of store %s\n", w.entries, strings.Join(w.stores, ", "))
	return errReported
}
