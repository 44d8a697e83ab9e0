package main

import (
	"context"
	"flag"
	"fmt"
	"text/tabwriter"
)

const historyUsage = "cartd history --redis URL --store ID"

func defineHistory(fs *flag.FlagSet) func(*call) error {
	var from storeFlags
	from.flags(fs)
	return func(c *call) error { return runHistory(c, &from) }
}

// runHistory lists a store's last imports and acts, the newest first.
func runHistory(c *call, from *storeFlags) error {
	store, err := from.id(c, historyUsage)
	if err != nil {
		return err
	}
	db, err := from.open()
	if err != nil {
		return err
	}
	defer db.Close()
	imports, acts, err := db.History(context.Background(), store)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "IMPORTED\tREVISION\tPRODUCTS\tBY")
	for _, i := range imports {
		fmt.Fprintf(table, "%s\t%s\t%d\t%s\n", shownTime(i.At), i.Revision, i.Products, shownName(i.By))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(c.stdout)
	fmt.Fprintln(table, "TIME\tACT\tON")
	for _, a := range acts {
		fmt.Fprintf(table, "%s\t%s\t%s\n", shownTime(a.At), a.Name, shownName(a.On))
	}
	return table.Flush()
}
