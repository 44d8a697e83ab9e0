package main

import (
	"bufio"
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
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
	fs.StringVar(&config.suspend, "suspend", "", "`ID` of the store to suspend; imports keep it suspended")
	fs.StringVar(&config.closed, "closed", "", "`ID` of the store to close for orders; it can be read, and the merchant's orders go on")
	fs.StringVar(&config.message, "message", "", "`TEXT` that visitors of a closed store get, in place of the usual one")
	fs.StringVar(&config.open, "open", "", "`ID` of the store to open for orders again; a suspension stays")
	fs.StringVar(&config.resume, "resume", "", "`ID` of the store whose suspension and closing end; a suspension of its document stays")
	fs.StringVar(&config.limit, "limit", "", "`ID` of the store to limit to N requests a minute; 0 for its document's limit")
	fs.StringVar(&config.drop, "drop", "", "`ID` of the store to delete with all its data, after its name is typed")
	return func(c *call) error { return runStores(c, config) }
}

// runStores lists the stores, or carries out the one act that is asked for.
func runStores(c *call, config *storesConfig) error {
	id, n, err := config.check(c)
	if err != nil {
		return err
	}
	db, err := config.redis.open()
	if err != nil {
		return err
	}
	defer db.Close()
	ctx := context.Background()
	switch {
	case config.drop != "":
		if err := dropStore(c, db, config.redis.operator, id); err != nil {
			return err
		}
		return config.redis.awaitReplicas(db)
	case config.suspend != "":
		err = db.Suspend(ctx, id, true)
	case config.closed != "":
		err = db.CloseForOrders(ctx, id, config.message)
	case config.open != "":
		err = db.OpenForOrders(ctx, id)
	case config.resume != "":
		err = db.Suspend(ctx, id, false)
	case config.limit != "":
		err = db.Limit(ctx, id, n)
	}
	if config.asked() != "" && err == nil {
		err = c.audit(db, config.redis.operator, deed(id, strings.TrimPrefix(config.asked(), "--"), config.on(n)), nil)
	}
	if err == nil {
		err = listStores(c.stdout, db)
	}
	if err != nil || config.asked() == "" {
		return err
	}
	return config.redis.awaitReplicas(db)
}

// asked is the flag of the act that is asked for; empty for the list.
func (config *storesConfig) asked() string {
	for _, given := range config.acts() {
		if given.id != "" {
			return given.flag
		}
	}
	return ""
}

// on is what the act that is asked for sets.
func (config *storesConfig) on(limit int) string {
	if config.limit != "" {
		return strconv.Itoa(limit)
	}
	return config.message
}

// acts are the flags of all acts, each with the store that it names.
func (config *storesConfig) acts() []struct{ flag, id string } {
	return []struct{ flag, id string }{
		{"--suspend", config.suspend}, {"--closed", config.closed}, {"--open", config.open}, {"--resume", config.resume},
		{"--limit", config.limit}, {"--drop", config.drop},
	}
}

// check refuses invalid flags. It returns the store of the act, and the limit that is asked for.
func (config *storesConfig) check(c *call) (id uuid.UUID, limit int, err error) {
	asked := ""
	for _, given := range config.acts() {
		switch {
		case given.id == "":
			continue
		case asked != "":
			return id, 0, commandline.Usage("give one of %s and %s", asked, given.flag)
		}
		asked = given.flag
		var ok bool
		if id, ok = commerce.ParseID(given.id); !ok {
			return id, 0, commandline.Usage("%s %q is no id of a store: see cartd stores", asked, given.id)
		}
	}
	if config.message != "" && asked != "--closed" {
		return id, 0, commandline.Usage("--message is the text of --closed: %s", storesUsage)
	}
	config.message = strings.TrimSpace(config.message)
	if !isLine(config.message, maxNotice) {
		return id, 0, commandline.Usage("--message needs a text of one line and at most %d characters, in UTF-8", maxNotice)
	}
	if asked != "--limit" {
		return id, 0, c.noArguments(storesUsage)
	}
	if len(c.args) == 1 {
		limit, err = strconv.Atoi(c.args[0])
	}
	if len(c.args) != 1 || err != nil || limit < 0 || limit > storefile.MaxRateLimit {
		return id, 0, commandline.Usage("--limit needs a number of requests a minute from 0 to %d: %s", storefile.MaxRateLimit, storesUsage)
	}
	return id, limit, nil
}

func listStores(w io.Writer, db *persistence.DB) error {
	list, err := db.ListStores(context.Background())
	if err != nil {
		return err
	}
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
	list, err := db.ListStores(context.Background())
	if err != nil {
		return err
	}
	var found *stores.Summary
	for i := range list {
		if list[i].ID == id {
			found = &list[i]
		}
	}
	if found == nil {
		return fmt.Errorf("there is no such store: %s: see cartd stores", id)
	}
	word := strings.TrimSpace(found.Name)
	if word == "" {
		word = id.String()
	}
	fmt.Fprintf(c.stdout, "This deletes store %s for good, with its catalogue, %s, all carts and all other data.\nType %s to go on: ", id,
		numberOf(int(found.Customers), "customer"), word)
	typed, _ := bufio.NewReader(c.stdin).ReadString('\n') // at the end of input the text is empty
	fmt.Fprintln(c.stdout)
	if strings.TrimSpace(typed) != word {
		return fmt.Errorf("nothing was deleted: %q was not typed", word)
	}
	progress := startProgress(c.stderr)
	deleted, err := db.DropStore(context.Background(), id, func(n int) { progress.report("store %s: %s deleted", id, numberOf(n, "key")) })
	progress.done()
	untold := c.audit(db, by, deed(id, "drop", fmt.Sprintf("%s, %s", found.Name, numberOf(deleted, "key"))), err)
	if err != nil {
		return fmt.Errorf("deleted %s, then: %w: run the command again", numberOf(deleted, "key"), err)
	}
	_, err = fmt.Fprintf(c.stdout, "store %s %q: deleted, %s\n", id, found.Name, numberOf(deleted, "key"))
	return cmp.Or(untold, err)
}

// numberOf returns a number with its noun: 1 key, 2 keys.
func numberOf(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}
