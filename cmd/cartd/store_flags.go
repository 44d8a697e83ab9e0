package main

import (
	"flag"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/commandline"
)

// storeFlags say which store of which Redis a command is about.
type storeFlags struct {
	redisFlags
	store string
}

func (s *storeFlags) flags(fs *flag.FlagSet) {
	s.redisFlags.flags(fs, adminSilence)
	fs.StringVar(&s.store, "store", "", "`ID` of the store")
}

// id is the store's, which has to be given, without arguments after the flags.
func (s *storeFlags) id(c *call, usage string) (uuid.UUID, error) {
	id, ok := commerce.ParseID(s.store)
	if !ok || len(c.args) > 0 {
		return uuid.Nil, commandline.Usage("--store must name the store's id: %s", usage)
	}
	return id, nil
}
