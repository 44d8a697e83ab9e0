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

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/commerce/storefile"
	"cartd/internal/commandline"
	"cartd/persistence"
	"cartd/persistence/stores"
)

const storesUsage = "cartd stores --redis URL [--suspend ID | --closed ID [--message TEXT] | --open ID | --resume ID | --limit ID N | --drop ID]"

// storesConfig has the flags of cartd stores.
type storesConfig struct {
	redis                                      redisFlags
	suspend, closed, open, resume, limit, drop string
	message                                    string
}

// maxNotice is the maximum of characters of --message.
const maxNotice = 500

func defineStores(fs *flag.FlagSet) func(*call) error {
	config := &storesConfig{}
	config.redis.flags(fs, adminSilence)
	config.redis.waitFlag(fs)
	for _, act := range config.acts() {
		fs.StringVar(act.store, act.flag, "", act.help)
	}
	fs.StringVar(&config.message, "message", "", "`TEXT` that visitors of a closed store get, in place of the usual one")
	return func(c *call) error { return runStores(c, config) }
}

// runStores lists the stores, or carries out the one act that is asked for and shows its store.
func runStores(c *call, config *storesConfig) error {
	act, id, limit, err := config.check(c)
	if err != nil {
		return err
	}
	db, err := config.redis.open()
	if err != nil {
		return err
	}
	defer db.Close()
	switch act {
	case "":
		list, err := db.ListStores(context.Background())
		if err != nil {
			return err
		}
		return showStores(c.stdout, list)
	case "drop":
		if err := dropStore(c, db, config.redis.operator, id); err != nil {
			return err
		}
		return config.redis.awaitReplicas(db)
	}
	ctx, on := context.Background(), config.message
	if act == "limit" {
		on = strconv.Itoa(limit)
	}
	undertaken := c.begin(db, config.redis.operator, deed(id, act, on))
	switch act {
	case "suspend":
		err = db.Suspend(ctx, id, true)
	case "closed":
		err = db.CloseForOrders(ctx, id, config.message)
	case "open":
		err = db.OpenForOrders(ctx, id)
	case "resume":
		err = db.Suspend(ctx, id, false)
	case "limit":
		err = db.Limit(ctx, id, limit)
	}
	if err != nil {
		undertaken.drop()
		return err
	}
	if err = undertaken.end(on, nil); err == nil {
		err = showStores(c.stdout, []stores.Summary{db.Summary(ctx, id)})
	}
	if err != nil {
		return err
	}
	return config.redis.awaitReplicas(db)
}

// storeAct is the flag of an act, with the store that it names.
type storeAct struct {
	flag, help string
	store      *string
}

// acts are the flags of all acts.
func (config *storesConfig) acts() []storeAct {
	return []storeAct{
		{"suspend", "`ID` of the store to suspend; imports keep it suspended", &config.suspend},
		{"closed", "`ID` of the store to close for orders; it can be read, and the merchant's orders go on", &config.closed},
		{"open", "`ID` of the store to open for orders again; a suspension stays", &config.open},
		{"resume", "`ID` of the store whose suspension and closing end; a suspension of its document stays", &config.resume},
		{"limit", "`ID` of the store to limit to N requests a minute; 0 for its document's limit", &config.limit},
		{"drop", "`ID` of the store to delete with all its data, after its name is typed", &config.drop},
	}
}

// check refuses invalid flags. It returns the flag of the act that is asked for, empty for the list, its
// store, and the limit.
func (config *storesConfig) check(c *call) (asked string, id uuid.UUID, limit int, err error) {
	for _, act := range config.acts() {
		switch {
		case *act.store == "":
			continue
		case asked != "":
			return "", id, 0, commandline.Usage("give one of --%s and --%s", asked, act.flag)
		}
		asked = act.flag
		var ok bool
		if id, ok = commerce.ParseID(*act.store); !ok {
			return "", id, 0, commandline.Usage("--%s %q is no id of a store: see cartd stores", asked, *act.store)
		}
	}
	if config.message != "" && asked != "closed" {
		return "", id, 0, commandline.Usage("--message is the text of --closed: %s", storesUsage)
	}
	config.message = strings.TrimSpace(config.message)
	if !isLine(config.message, maxNotice) {
		return "", id, 0, commandline.Usage("--message needs a text of one line and at most %d characters, in UTF-8", maxNotice)
	}
	if asked != "limit" {
		return asked, id, 0, c.noArguments(storesUsage)
	}
	if len(c.args) == 1 {
		limit, err = strconv.Atoi(c.args[0])
	}
	if len(c.args) != 1 || err != nil || limit < 0 || limit > storefile.MaxRateLimit {
		return "", id, 0, commandline.Usage("--limit needs a number of requests a minute from 0 to %d: %s", storefile.MaxRateLimit, storesUsage)
	}
	return asked, id, limit, nil
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

// dropStore deletes a store after its name was typed, or its id if the name cannot be read.
func dropStore(c *call, db *persistence.DB, by string, id uuid.UUID) error {
	ids, err := db.StoreIDs(context.Background())
	if err != nil {
		return err
	}
	if !slices.Contains(ids, id) {
		return fmt.Errorf("there is no such store: %s: see cartd stores", id)
	}
	found := db.Summary(context.Background(), id)
	word := strings.TrimSpace(found.Name)
	if word == "" {
		word = id.String()
	}
	if !c.typed(word, "This deletes store %s for good, with its catalogue, %s, all carts and all other data.", id,
		numberOf(int(found.Customers), "customer")) {
		return fmt.Errorf("nothing was deleted: %q was not typed", word)
	}
	undertaken := c.begin(db, by, deed(id, "drop", found.Name))
	progress := startProgress(c.stderr)
	deleted, err := db.DropStore(context.Background(), id, func(n int) { progress.report("store %s: %s deleted", id, numberOf(n, "key")) })
	progress.done()
	untold := undertaken.end(fmt.Sprintf("%s, %s", found.Name, numberOf(deleted, "key")), err)
	if err != nil {
		return fmt.Errorf("deleted %s, then: %w: run the command again", numberOf(deleted, "key"), err)
	}
	_, err = fmt.Fprintf(c.stdout, "store %s %q: deleted, %s\n", id, found.Name, numberOf(deleted, "key"))
	return cmp.Or(untold, err)
}

// numberOf returns a number with its noun: 1 key, 2 keys.
func numberOf(n int, noun string) string { return plural(n, noun, noun+"s") }
