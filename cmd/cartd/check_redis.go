package main

import (
	"context"
	"fmt"
	"io"

	"cartd/commerce"
	"cartd/internal/commandline"
	"cartd/persistence/operator"
)

// maxShownFaults is the number of records that cannot be read of which a check prints a line, and of
// bounds that documents and records break.
const maxShownFaults = 100

// brokenBounds prints the bounds of today that documents and records of earlier releases break. They
// are served as they are.
type brokenBounds struct {
	out   io.Writer
	found int
}

func (b *brokenBounds) print(of, bound string) {
	if b.found++; b.found <= maxShownFaults {
		fmt.Fprintf(b.out, "%s: warning: %s\n", commandline.AppendPrintable(nil, []byte(of)), commandline.AppendPrintable(nil, []byte(bound)))
	}
}

// record prints what a record breaks.
func (b *brokenBounds) record(key string, bounds *commerce.Refusal) {
	for _, f := range bounds.Fields {
		for _, message := range f.Messages {
			b.print(key, f.Field+": "+message.Text())
		}
	}
}

// document prints what the document of a store breaks, whose API keys stand beside it.
func (b *brokenBounds) document(s *operator.CheckedStore) {
	if s.Broken != nil {
		for _, f := range s.Broken.List() {
			b.print("store "+s.ID.String(), f.String()+f.Details())
		}
	}
	for _, name := range s.BrokenKeys {
		b.print("store "+s.ID.String(), fmt.Sprintf("api key %q: its name must have at most %d characters, without control characters", name, commerce.MaxName))
	}
}

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
	ctx, faults, broken := context.Background(), 0, &brokenBounds{out: c.stdout}
	err = operator.New(db).CheckStores(ctx, func(s operator.CheckedStore) {
		if s.Fault != nil {
			faults++
			fmt.Fprintf(c.stderr, "store %s: cannot be read: %v\n", s.ID, s.Fault)
			return
		}
		fmt.Fprintf(c.stdout, "store %s: ok, %q with %s\n", s.ID, s.Name, numberOf(s.Products, "product"))
		broken.document(&s)
	})
	if err != nil {
		return err
	}
	progress := startProgress(c.stderr)
	read, err := operator.New(db).CheckRecords(ctx, operator.RecordReport{
		Fault: func(key string, err error) {
			if faults++; faults <= maxShownFaults {
				fmt.Fprintf(c.stderr, "%s: cannot be read: %v\n", commandline.AppendPrintable(nil, []byte(key)), err)
			}
		},
		Broken: broken.record,
	})
	progress.done()
	for _, kind := range read {
		fmt.Fprintf(c.stdout, "%s: %d read\n", kind.Name, kind.Read)
	}
	if broken.found > 0 {
		fmt.Fprintf(c.stdout, "warnings: %d: bounds that an import or a request is held to; what is stored is served as it is\n", broken.found)
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
