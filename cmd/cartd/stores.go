package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"cartd/commerce/storefile"
	"cartd/internal/commandline"
	"cartd/persistence/stores"
)

// maxNotice is the maximum of characters of --message.
const maxNotice = 500

// storesCommand lists the stores, or carries out one act and shows its store.
func storesCommand() *operatorCommand {
	var message string
	var limit int
	return &operatorCommand{
		namesStore: true,
		flags: func(fs *flag.FlagSet) {
			fs.StringVar(&message, "message", "", "`TEXT` that visitors of a closed store get, in place of the usual one")
		},
		acts: []act{
			{do: listStores},
			{
				flag: "suspend", value: "ID", help: "`ID` of the store to suspend; imports keep it suspended",
				audit: "suspend",
				do:    storeAct(func(j *job) (string, error) { return "", j.db.Suspend(j, j.store, true) }),
			},
			{
				flag: "closed", value: "ID", help: "`ID` of the store to close for orders; it can be read, and the merchant's orders go on",
				with: "[--message TEXT]", audit: "closed",
				check: func(j *job) error {
					if message = strings.TrimSpace(message); !isLine(message, maxNotice) {
						return commandline.Usage("--message needs a text of one line and at most %d characters, in UTF-8", maxNotice)
					}
					return nil
				},
				do: storeAct(func(j *job) (string, error) { return message, j.db.CloseForOrders(j, j.store, message) }),
			},
			{
				flag: "open", value: "ID", help: "`ID` of the store to open for orders again; a suspension stays",
				audit: "open",
				do:    storeAct(func(j *job) (string, error) { return "", j.db.OpenForOrders(j, j.store) }),
			},
			{
				flag: "resume", value: "ID", help: "`ID` of the store whose suspension and closing end; a suspension of its document stays",
				audit: "resume",
				do:    storeAct(func(j *job) (string, error) { return "", j.db.Suspend(j, j.store, false) }),
			},
			{
				flag: "limit", value: "ID", argument: "N", help: "`ID` of the store to limit to N requests a minute; 0 for its document's limit",
				audit: "limit",
				check: func(j *job) (err error) {
					if limit, err = strconv.Atoi(j.args[0]); err != nil || limit < 0 || limit > storefile.MaxRateLimit {
						return commandline.Usage("--limit needs a number of requests a minute from 0 to %d: %s", storefile.MaxRateLimit, j.usage)
					}
					return nil
				},
				do: storeAct(func(j *job) (string, error) { return strconv.Itoa(limit), j.db.Limit(j, j.store, limit) }),
			},
			dropAct(),
		},
	}
}

func listStores(j *job) (outcome, error) {
	list, err := j.db.ListStores(j)
	if err != nil {
		return outcome{}, err
	}
	return outcome{}, showStores(j.stdout, list)
}

// storeAct is an act that changes a store and shows it afterwards. change says on what it was.
func storeAct(change func(j *job) (on string, err error)) func(*job) (outcome, error) {
	return func(j *job) (outcome, error) {
		on, err := change(j)
		if err != nil {
			return outcome{}, err
		}
		done := changed(on)
		done.show = func() error { return showStores(j.stdout, []stores.Summary{j.db.Summary(j, j.store)}) }
		return done, nil
	}
}

// dropAct deletes a store after its name was typed, or its id if the name cannot be read.
func dropAct() act {
	var name string
	return act{
		flag: "drop", value: "ID", help: "`ID` of the store to delete with all its data, after its name is typed",
		audit: "drop",
		plan: func(j *job) (string, error) {
			ids, err := j.db.StoreIDs(j)
			if err != nil {
				return "", err
			}
			if !slices.Contains(ids, j.store) {
				return "", fmt.Errorf("there is no such store: %s: see cartd stores", j.store)
			}
			found := j.db.Summary(j, j.store)
			name = found.Name
			word := cmp.Or(strings.TrimSpace(name), j.store.String())
			if !j.typed(word, "This deletes store %s for good, with its catalogue, %s, all carts and all other data.", j.store,
				numberOf(int(found.Customers), "customer")) {
				return "", fmt.Errorf("nothing was deleted: %q was not typed", word)
			}
			return name, nil
		},
		do: func(j *job) (outcome, error) {
			progress := startProgress(j.stderr)
			deleted, err := j.db.DropStore(j, j.store, func(n int) { progress.report("store %s: %s deleted", j.store, numberOf(n, "key")) })
			progress.done()
			keys := numberOf(deleted, "key")
			done := changed(fmt.Sprintf("%s, %s", name, keys))
			if err != nil {
				return done, fmt.Errorf("deleted %s, then: %w: run the command again", keys, err)
			}
			done.show = func() error {
				_, err := fmt.Fprintf(j.stdout, "store %s %q: deleted, %s\n", j.store, name, keys)
				return err
			}
			return done, nil
		},
	}
}

// showStores writes the rows of stores.
func showStores(w io.Writer, list []stores.Summary) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "ID\tNAME\tSTATE\tPRODUCTS\tCUSTOMERS\tKEYS\tREQUESTS/MIN\tIMPORTED")
	for _, s := range list {
		if s.Fault != nil {
			fmt.Fprintf(table, "%s\t\tcannot be read: %v\n", s.ID, s.Fault)
			continue
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%d\t%d\t%d\t%s\t%s\n",
			s.ID, shownName(s.Name), shownState(&s), s.Products, s.Customers, s.Keys, shownLimits(&s), shownTime(s.Imported))
	}
	return table.Flush()
}

// shownState says whether a store is suspended and whether it is closed, and by whom.
func shownState(s *stores.Summary) string {
	var states []string
	switch {
	case s.Operator.Suspended:
		states = append(states, "suspended (operator)")
	case s.Suspended:
		states = append(states, "suspended")
	}
	if s.Operator.Closed {
		states = append(states, "closed (operator)")
	}
	return cmp.Or(strings.Join(states, ", "), "active")
}

// shownLimits returns a store's request limit with what it is divided into, for instance 600 (operator; 120 per client;
// 200 reserved for carts). Of the reserve it shows what counts.
func shownLimits(s *stores.Summary) string {
	var about []string
	if s.Operator.Limit > 0 {
		about = append(about, "operator")
	}
	if s.Limits.PerClient > 0 {
		about = append(about, strconv.Itoa(s.Limits.PerClient)+" per client")
	}
	if reserve := s.Limits.Reserve(s.RateLimit); reserve > 0 {
		about = append(about, strconv.Itoa(reserve)+" reserved for carts")
	}
	shown := strconv.Itoa(s.RateLimit)
	if about != nil {
		shown += " (" + strings.Join(about, "; ") + ")"
	}
	return shown
}

// numberOf returns a number with its noun: 1 key, 2 keys.
func numberOf(n int, noun string) string { return plural(n, noun, noun+"s") }
