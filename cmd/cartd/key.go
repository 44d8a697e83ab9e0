package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/commandline"
	"cartd/persistence/stores"
)

// keyConfig has the flags of cartd key.
type keyConfig struct {
	from   storeFlags
	store  uuid.UUID
	name   string
	scopes commerce.Scopes
	// noClientLimit is for a merchant's own server.
	noClientLimit bool
	list          bool
	revoke        string
}

const keyUsage = "cartd key --redis URL --store ID --name NAME --scopes a,b | --list | --revoke NAME"

func defineKey(fs *flag.FlagSet) func(*call) error {
	config := &keyConfig{}
	var scopes listFlag
	config.from.flags(fs)
	config.from.waitFlag(fs)
	fs.StringVar(&config.name, "name", "", "`NAME` of the key to make, unique in its store")
	fs.Var(&scopes, "scopes", "`scopes` of the key to make (commas), for instance commerce:read,commerce:write")
	fs.BoolVar(&config.noClientLimit, "no-client-limit", false, "no limit for a single client (store.limits.per_client): for a merchant's own server")
	fs.BoolVar(&config.list, "list", false, "list the store's keys")
	fs.StringVar(&config.revoke, "revoke", "", "`NAME` of the key to revoke, for good")
	return func(c *call) error {
		if err := config.check(c, isGiven(fs, "scopes")); err != nil {
			return err
		}
		if err := config.parseScopes(scopes); err != nil {
			return err
		}
		return runKey(c, config)
	}
}

// runKey makes, lists or revokes API keys of a store.
func runKey(c *call, config *keyConfig) error {
	db, err := config.from.open()
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
		return listKeys(c.stdout, keys)
	case config.revoke != "":
		undertaken := c.begin(db, config.from.operator, deed(config.store, "key revoked", config.revoke))
		if err := db.RevokeKey(ctx, config.store, config.revoke); err != nil {
			undertaken.drop()
			return err
		}
		if err := undertaken.end(config.revoke, nil); err != nil {
			return err
		}
		return config.from.awaitReplicas(db)
	}
	made := config.name + " (" + strings.Join(config.scopes.Names(), ",") + ")"
	undertaken := c.begin(db, config.from.operator, deed(config.store, "key made", made))
	key, err := db.MakeKey(ctx, config.store, commerce.APIKey{Name: config.name, Scopes: config.scopes, NoClientLimit: config.noClientLimit})
	if err != nil {
		undertaken.drop()
		return err
	}
	_, err = fmt.Fprintln(c.stdout, key)
	if err = cmp.Or(undertaken.end(made, nil), err); err != nil {
		return err
	}
	return config.from.awaitReplicas(db)
}

// check refuses invalid flags. scoped is true if --scopes is given, even if it is empty.
func (c *keyConfig) check(with *call, scoped bool) (err error) {
	if c.store, err = c.from.id(with, keyUsage); err != nil {
		return err
	}
	asked := 0
	for _, given := range []bool{c.name != "", c.list, c.revoke != ""} {
		if given {
			asked++
		}
	}
	if asked != 1 {
		return commandline.Usage("give one of --name NAME --scopes a,b (makes a key), --list, --revoke NAME")
	}
	if !utf8.ValidString(c.name) { // Redis would store another name, perhaps that of another key
		return commandline.Usage("--name %q is no UTF-8: give a name in UTF-8, for instance of ASCII characters", c.name)
	}
	if !commerce.IsLine(c.name) || utf8.RuneCountInString(c.name) > commerce.MaxName {
		return commandline.Usage("--name %q: give a name of at most %d characters without control characters", c.name, commerce.MaxName)
	}
	if c.noClientLimit && c.name == "" {
		return commandline.Usage("--no-client-limit goes with --name only: an import changes client_limit of an existing key")
	}
	if c.name != "" && !scoped {
		return commandline.Usage("--scopes is missing: scopes cannot be added to a key later (--scopes= makes a key without any)")
	}
	return nil
}

func (c *keyConfig) parseScopes(names []string) error {
	if len(names) > 0 && c.name == "" {
		return commandline.Usage("--scopes goes with --name only: scopes cannot be added to an existing key")
	}
	for _, name := range names {
		scope, ok := commerce.ParseScope(name)
		if !ok {
			return commandline.Usage("%q is no scope%s: there are %s", name, commandline.DidYouMean(name, "", commerce.AllScopes().Names()),
				strings.Join(commerce.AllScopes().Names(), ", "))
		}
		c.scopes = c.scopes.With(scope)
	}
	return nil
}

func listKeys(w io.Writer, keys []stores.Key) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	head := "NAME\tSTATE\tFROM\tSCOPES"
	if slices.ContainsFunc(keys, func(k stores.Key) bool { return k.NoClientLimit }) {
		head += "\tCLIENT LIMIT"
	}
	fmt.Fprintln(table, head)
	for _, k := range keys {
		state, from := "active", "document"
		if k.Revoked {
			state = "revoked"
		}
		if k.Made {
			from = "cartd key"
		}
		more := ""
		if k.NoClientLimit {
			more = "\tnone"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s%s\n", shownName(k.Name), state, from, strings.Join(k.Scopes.Names(), ","), more)
	}
	return table.Flush()
}

// shownName returns a name, in quotes if its characters could be read as part of the table.
func shownName(name string) string {
	quoted := strconv.Quote(name)
	if name == strings.TrimSpace(name) && quoted == `"`+name+`"` {
		return name
	}
	return quoted
}
