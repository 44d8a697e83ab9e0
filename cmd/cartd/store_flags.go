package main

import (
	"flag"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/commandline"
)

// storeFlags select a store in a Redis.
type storeFlags struct {
	redisFlags
	store string
}

func (s *storeFlags) flags(fs *flag.FlagSet) {
	s.redisFlags.flags(fs, adminSilence)
	fs.StringVar(&s.store, "store", "", "`ID` of the store")
}

// id returns the id of the store. It must be given, and no arguments may follow the flags.
func (s *storeFlags) id(c *call, usage string) (uuid.UUID, error) {
	if err := c.noArguments(usage); err != nil {
		return uuid.Nil, err
	}
	id, ok := commerce.ParseID(s.store)
	switch {
	case s.store == "":
		return uuid.Nil, commandline.Usage("--store is missing: %s", usage)
	case !ok:
		return uuid.Nil, commandline.Usage("--store %q is no id of a store: see cartd stores", s.store)
	}
	return id, nil
}
