package main

import (
	"context"
	"fmt"

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
	ctx, faults := context.Background(), 0
	err = operator.New(db).CheckStores(ctx, func(s operator.CheckedStore) {
		if s.Fault != nil {
			faults++
			fmt.Fprintf(c.stderr, "store %s: cannot be read: %v\n", s.ID, s.Fault)
			return
		}
		fmt.Fprintf(c.stdout, "store %s: ok, %q with %s\n", s.ID, s.Name, numberOf(s.Products, "product"))
	})
	if err != nil {
		return err
	}
	progress := startProgress(c.stderr)
	read, err := operator.New(db).CheckRecords(ctx, func(key string, err error) {
		if faults++; faults <= maxShownFaults {
			fmt.Fprintf(c.stderr, "%s: cannot be read: %v\n", commandline.AppendPrintable(nil, []byte(key)), err)
		}
	})
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
	return nil
}
