package main

import (
	"fmt"

	"cartd/persistence/operator"
)

// reindexCommand makes the indexes of a store anew of its records.
func reindexCommand() *operatorCommand {
	return &operatorCommand{acts: []act{{audit: "reindex", do: reindex}}}
}

func reindex(j *job) (done outcome, err error) {
	added, removed, err := operator.New(j.db).Reindex(j, j.store)
	text := fmt.Sprintf("added %s, removed %d", plural(added, "entry", "entries"), removed)
	if added+removed > 0 {
		done = changed(text)
	}
	switch {
	case err != nil && !done.changed:
		return done, err
	case err != nil:
		return done, fmt.Errorf("%w: run cartd reindex again, it continues", err)
	}
	done.show = func() error {
		_, err := fmt.Fprintln(j.stdout, text)
		return err
	}
	return done, nil
}
