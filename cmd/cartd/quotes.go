package main

import (
	"fmt"
	"strconv"

	"cartd/internal/commandline"
	"cartd/persistence/operator"
)

// quotesCommand writes the number of a store's next quote, or raises the counter.
func quotesCommand() *operatorCommand {
	return &operatorCommand{
		acts: []act{
			{do: func(j *job) (outcome, error) {
				next, err := operator.New(j.db).NextNumber(j, j.store, &operator.QuoteNumbers)
				if err != nil {
					return outcome{}, err
				}
				fmt.Fprintf(j.stdout, "the next quote gets the number %d\n", next)
				return outcome{}, nameOtherNumbers(j, &operator.QuoteNumbers)
			}},
			leaveOutAct(&operator.QuoteNumbers, "raise the counter, so that the next quote gets the number `N`"),
		},
	}
}

// leaveOutAct raises the counter of a store's records of a kind, and names the store's other counters.
func leaveOutAct(kind *operator.NumberedKind, help string) act {
	var next int64
	return act{
		flag: "next", value: "N", help: help, audit: "numbers left out",
		check: func(j *job) (err error) {
			if next, err = strconv.ParseInt(j.value, 10, 64); err != nil || next < 1 {
				return commandline.Usage("--next must be the number of the next %s, at least 1: %s", kind.Name, j.usage)
			}
			return nil
		},
		plan: func(*job) (string, error) { return fmt.Sprintf("%ss, up to %d", kind.Name, next-1), nil },
		do: func(j *job) (done outcome, err error) {
			first, count, err := operator.New(j.db).LeaveOut(j, j.store, kind, next)
			if count > 0 { // also of a part
				done = changed(fmt.Sprintf("%ss %d to %d", kind.Name, first, first+count-1))
			}
			done.show = func() error {
				if count == 0 {
					fmt.Fprintf(j.stdout, "the next %s gets the number %d already\n", kind.Name, next)
				} else {
					fmt.Fprintf(j.stdout, "left out the numbers %d to %d: the next %s gets the number %d\n", first, first+count-1, kind.Name, first+count)
				}
				return nameOtherNumbers(j, kind)
			}
			return done, err
		},
	}
}

// nameOtherNumbers names the counters of a store that a restored Redis sets back too.
func nameOtherNumbers(j *job, but *operator.NumberedKind) error {
	for _, kind := range operator.NumberedKinds {
		if kind == but {
			continue
		}
		next, err := operator.New(j.db).NextNumber(j, j.store, kind)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(j.stdout, "the next %s gets the number %d: after a restore leave out numbers here too, with cartd %s --next\n",
			kind.Name, next, kind.Command)
		if err != nil {
			return err
		}
	}
	return nil
}
