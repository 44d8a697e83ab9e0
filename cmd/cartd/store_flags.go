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
	id, ok := commerce.ParseID(s.store)
	if !ok || len(c.args) > 0 {
		return uuid.Nil, commandline.Usage("--store must name the store's id: %s", usage)
	}
	return id, nil
}
