package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/persistence"
)

// keyConfig is what cartd key is told.
type keyConfig struct {
	adminConfig
	store  uuid.UUID
	name   string
	scopes commerce.Scopes
	list   bool
	revoke string
}

const keyUsage = "cartd key --redis URL --store ID --name NAME --scopes a,b | --list | --revoke NAME"

// runKey makes, lists or revokes API keys of a store.
func runKey(args []string, stdout, stderr io.Writer) error {
	config, err := parseKey(args, stdout)
	if err != nil {
		return err
	}
	db, err := config.open()
	if err != nil {
		return err
	}
	defer db.Close()
	ctx := context.Background()
	switch {
	case config.list:
		keys, err := db.ListKeys(ctx, config.store)
		if err != nil {
			return err
		}
		return listKeys(stdout, keys)
	case config.revoke != "":
		return db.RevokeKey(ctx, config.store, config.revoke)
	}
	key, err := db.MakeKey(ctx, config.store, config.name, config.scopes)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(stdout, key)
	return err
}

func parseKey(args []string, stdout io.Writer) (*keyConfig, error) {
	c := &keyConfig{}
	var store string
	var scopes listFlag
	fs := flag.NewFlagSet("key", flag.ContinueOnError)
	c.flags(fs)
	fs.StringVar(&store, "store", "", "`ID` of the store")
	fs.StringVar(&c.name, "name", "", "`NAME` of the key to make, unique in its store")
	fs.Var(&scopes, "scopes", "`scopes` of the key to make (commas), for instance commerce:read,commerce:write")
	fs.BoolVar(&c.list, "list", false, "list the store's keys")
	fs.StringVar(&c.revoke, "revoke", "", "`NAME` of the key to revoke, for good")
	if err := parseFlags(fs, args, stdout, keyUsage); err != nil {
		return nil, err
	}
	var ok bool
	if c.store, ok = commerce.ParseID(store); !ok || fs.NArg() > 0 {
		return nil, errors.New("--store must name the store's id: " + keyUsage)
	}
	asked := 0
	for _, given := range []bool{c.name != "", c.list, c.revoke != ""} {
		if given {
			asked++
		}
	}
	if asked != 1 {
		return nil, errors.New("give one of --name NAME --scopes a,b (makes a key), --list, --revoke NAME")
	}
	if !utf8.ValidString(c.name) { // Redis would keep another name, perhaps of another key
		return nil, fmt.Errorf("--name %q is no UTF-8: give a name in UTF-8, or of ASCII characters alone", c.name)
	}
	if c.name != "" && !isGiven(fs, "scopes") {
		return nil, errors.New("--scopes is missing: a key's scopes cannot be added to later (--scopes= makes a key without any)")
	}
	return c, c.parseScopes(scopes)
}

// isGiven reports whether a flag was set, on the command line or by its twin.
func isGiven(fs *flag.FlagSet, name string) (given bool) {
	fs.Visit(func(f *flag.Flag) { given = given || f.Name == name })
	return given
}

func (c *keyConfig) parseScopes(names []string) error {
	if len(names) > 0 && c.name == "" {
		return errors.New("--scopes goes with --name only: scopes cannot be added to an existing key")
	}
	for _, name := range names {
		scope, ok := commerce.ParseScope(name)
		if !ok {
			return fmt.Errorf("%q is no scope: there are %s", name, strings.Join(commerce.AllScopes().Names(), ", "))
		}
		c.scopes = c.scopes.With(scope)
	}
	return nil
}

func listKeys(w io.Writer, keys []persistence.Key) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "NAME\tSTATE\tFROM\tSCOPES")
	for _, k := range keys {
		state, from := "active", "document"
		if k.Revoked {
			state = "revoked"
		}
		if k.Made {
			from = "cartd key"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", shownName(k.Name), state, from, strings.Join(k.Scopes.Names(), ","))
	}
	return table.Flush()
}

// shownName is a name, in quotes where its own characters could pass for those of the
// table.
func shownName(name string) string {
	quoted := strconv.Quote(name)
	if name == strings.TrimSpace(name) && quoted == `"`+name+`"` {
		return name
	}
	return quoted
}
