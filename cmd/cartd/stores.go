package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/commandline"
	"cartd/persistence"
	"cartd/persistence/stores"
)

const storesUsage = "cartd stores --redis URL [--drop ID]"

func defineStores(fs *flag.FlagSet) func(*call) error {
	var redis redisFlags
	redis.flags(fs, adminSilence)
	drop := fs.String("drop", "", "`ID` of the store to delete with all its data, after its name is typed")
	return func(c *call) error {
		if err := c.noArguments(storesUsage); err != nil {
			return err
		}
		id, ok := commerce.ParseID(*drop)
		if *drop != "" && !ok {
			return commandline.Usage("--drop %q is no id of a store: see cartd stores", *drop)
		}
		db, err := redis.open()
		if err != nil {
			return err
		}
		defer db.Close()
		if ok {
			return dropStore(c, db, id)
		}
		return listStores(c.stdout, db)
	}
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
		state := "active"
		if s.Suspended {
			state = "suspended"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%d\t%d\t%d\t%d\t%s\n",
			s.ID, shownName(s.Name), state, s.Products, s.Customers, s.Keys, s.RateLimit, shownTime(s.Imported))
	}
	return table.Flush()
}

// dropStore deletes a store after its name was typed, or its id if the name cannot be read.
func dropStore(c *call, db *persistence.DB, id uuid.UUID) error {
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
	fmt.Fprintf(c.stdout, "This deletes store %s for good, with its catalogue, %s, all carts and all other data.\nType %s to go on: ", id, numberOf(int(found.Customers), "customer"), word)
	typed, _ := bufio.NewReader(c.stdin).ReadString('\n') // at the end of input the text is empty
	fmt.Fprintln(c.stdout)
	if strings.TrimSpace(typed) != word {
		return fmt.Errorf("nothing was deleted: %q was not typed", word)
	}
	progress := startProgress(c.stderr)
	deleted, err := db.DropStore(context.Background(), id, func(n int) { progress.report("store %s: %s deleted", id, numberOf(n, "key")) })
	progress.done()
	if err != nil {
		return fmt.Errorf("deleted %s, then: %w: run the command again", numberOf(deleted, "key"), err)
	}
	_, err = fmt.Fprintf(c.stdout, "store %s %q: deleted, %s\n", id, found.Name, numberOf(deleted, "key"))
	return err
}

// numberOf returns a number with its noun: 1 key, 2 keys.
func numberOf(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}
