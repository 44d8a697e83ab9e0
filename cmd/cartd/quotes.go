package main

import (
	"context"
	"flag"
	"fmt"

	"github.com/google/uuid"

	"cartd/internal/commandline"
	"cartd/persistence"
	"cartd/persistence/operator"
)

const quotesUsage = "cartd quotes --redis URL --store ID [--next N]"

// quotesConfig has the flags of cartd quotes.
type quotesConfig struct {
	from storeFlags
	next int64
}

func defineQuotes(fs *flag.FlagSet) func(*call) error {
	config := &quotesConfig{}
	config.from.flags(fs)
	config.from.waitFlag(fs)
	fs.Int64Var(&config.next, "next", 0, "raise the counter, so that the next quote gets the number `N`")
	return func(c *call) error { return runQuotes(c, config) }
}

// runQuotes raises the counter of a store's quotes, or writes the number of the next one.
func runQuotes(c *call, config *quotesConfig) error {
	id, err := config.from.id(c, quotesUsage)
	switch {
	case err != nil:
		return err
	case config.next < 0:
		return badNext(&operator.QuoteNumbers, quotesUsage)
	}
	db, err := config.from.open()
	if err != nil {
		return err
	}
	defer db.Close()
	if config.next > 0 {
		return config.from.leaveOut(c, db, id, &operator.QuoteNumbers, config.next)
	}
	next, err := operator.New(db).NextNumber(context.Background(), id, &operator.QuoteNumbers)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.stdout, "the next quote gets the number %d\n", next)
	return nameOtherNumbers(c, db, id, &operator.QuoteNumbers)
}

// badNext refuses the value of --next.
func badNext(kind *operator.NumberedKind, usage string) error {
	return commandline.Usage("--next must be the number of the next %s, at least 1: %s", kind.Name, usage)
}

// leaveOut raises the counter of a store's records of a kind, and names the store's other counters.
func (s *storeFlags) leaveOut(c *call, db *persistence.DB, store uuid.UUID, kind *operator.NumberedKind, next int64) error {
	undertaken := c.begin(db, s.operator, deed(store, "numbers left out", fmt.Sprintf("%ss, up to %d", kind.Name, next-1)))
	first, count, err := operator.New(db).LeaveOut(context.Background(), store, kind, next)
	if count > 0 { // also of a part
		err = undertaken.end(fmt.Sprintf("%ss %d to %d", kind.Name, first, first+count-1), err)
	} else {
		undertaken.drop()
	}
	if err != nil {
		return err
	}
	if count == 0 {
		fmt.Fprintf(c.stdout, "the next %s gets the number %d already\n", kind.Name, next)
	} else {
		fmt.Fprintf(c.stdout, "left out the numbers %d to %d: the next %s gets the number %d\n", first, first+count-1, kind.Name, first+count)
	}
	if err := nameOtherNumbers(c, db, store, kind); err != nil {
		return err
	}
	return s.awaitReplicas(db)
}

// nameOtherNumbers names the counters of a store that a restored Redis sets back too.
func nameOtherNumbers(c *call, db *persistence.DB, store uuid.UUID, but *operator.NumberedKind) error {
	for _, kind := range operator.NumberedKinds {
		if kind == but {
			continue
		}
		next, err := operator.New(db).NextNumber(context.Background(), store, kind)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(c.stdout, "the next %s gets the number %d: after a restore leave out numbers here too, with cartd %s --next\n",
			kind.Name, next, kind.Command)
		if err != nil {
			return err
		}
	}
	return nil
}
