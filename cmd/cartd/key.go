package main

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"cartd/commerce"
	"cartd/internal/commandline"
	"cartd/persistence/stores"
)

// keyCommand makes, lists and revokes API keys of a store.
func keyCommand() *operatorCommand {
	made := &madeKey{}
	return &operatorCommand{
		flags: func(fs *flag.FlagSet) {
			fs.Var(&made.scopes, "scopes", "`scopes` of the key to make (commas), for instance commerce:read,commerce:write; --scopes= makes a key without any")
			fs.BoolVar(&made.key.NoClientLimit, "no-client-limit", false,
				"no limit for a single client (store.limits.per_client): for a merchant's own server; an import changes client_limit of an existing key")
		},
		acts: []act{
			{
				flag: "name", value: "NAME", help: "`NAME` of the key to make, unique in its store; its scopes stay as they are made",
				with: "--scopes a,b [--no-client-limit]", audit: "key made",
				check: made.check, plan: made.plan, do: made.do,
			},
			{
				flag: "desk", value: "NAME", help: "`NAME` of the key to make for a person at the desk, with the scopes of all its views", audit: "key made",
				check: func(j *job) error {
					made.scopes = deskScopes.Names()
					return made.check(j)
				},
				plan: made.plan, do: made.do,
			},
			{flag: "list", help: "list the store's keys", do: listKeys},
			{
				flag: "revoke", value: "NAME", help: "`NAME` of the key to revoke, for good", audit: "key revoked",
				do: func(j *job) (outcome, error) {
					if err := j.db.RevokeKey(j, j.store, j.value); err != nil {
						return outcome{}, err
					}
					return changed(j.value), nil
				},
			},
		},
	}
}

// deskScopes are those that the views of the desk need.
var deskScopes = commerce.AnyOf(
	commerce.OrdersRead, commerce.OrdersWrite, commerce.SalesManage, commerce.SalesRead, commerce.SalesWrite, commerce.StoreRead,
	commerce.CatalogManage, commerce.CatalogWrite,
)

// madeKey is the key that cartd key --name or --desk makes.
type madeKey struct {
	scopes listFlag
	key    commerce.APIKey
}

// check refuses names and scopes that no key can have.
func (m *madeKey) check(j *job) error {
	m.key.Name = j.value
	if !utf8.ValidString(j.value) { // Redis would store another name, perhaps that of another key
		return commandline.Usage("--name %q is no UTF-8: give a name in UTF-8, for instance of ASCII characters", j.value)
	}
	if !isLine(j.value, commerce.MaxName) {
		return commandline.Usage("--name %q: give a name of at most %d characters without control characters", j.value, commerce.MaxName)
	}
	all := commerce.AllScopes().Names()
	for _, name := range m.scopes {
		scope, ok := commerce.ParseScope(name)
		if !ok {
			return commandline.Usage("%q is no scope%s: there are %s", name, commandline.DidYouMean(name, "", all), strings.Join(all, ", "))
		}
		m.key.Scopes = m.key.Scopes.With(scope)
	}
	return nil
}

func (m *madeKey) plan(*job) (string, error) {
	return m.key.Name + " (" + strings.Join(m.key.Scopes.Names(), ",") + ")", nil
}

// do makes the key and prints it, once and at once: nothing else keeps it.
func (m *madeKey) do(j *job) (outcome, error) {
	key, err := j.db.MakeKey(j, j.store, m.key)
	if err != nil {
		return outcome{}, err
	}
	on, _ := m.plan(j)
	_, err = fmt.Fprintln(j.stdout, key)
	return changed(on), err
}

// listKeys writes a row for each key.
func listKeys(j *job) (outcome, error) {
	keys, err := j.db.ListKeys(j, j.store)
	if err != nil {
		return outcome{}, err
	}
	return outcome{}, writeKeys(j.stdout, keys)
}

func writeKeys(w io.Writer, keys []stores.Key) error {
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
