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

// id returns the id of the store, the value of a flag that must be given.
func (s *storeFlags) id(flag, usage string) (uuid.UUID, error) {
	id, ok := commerce.ParseID(s.store)
	switch {
	case s.store == "":
		return uuid.Nil, commandline.Usage("--%s is missing: %s", flag, usage)
	case !ok:
		return uuid.Nil, commandline.Usage("--%s %q is no id of a store: see cartd stores", flag, s.store)
	}
	return id, nil
}
