package main

import (
	"context"
	"flag"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"cartd/internal/commandline"
)

const historyUsage = "cartd history --redis URL --store ID | --all"

func defineHistory(fs *flag.FlagSet) func(*call) error {
	var from storeFlags
	from.flags(fs)
	all := fs.Bool("all", false, "list what operators' commands have changed in all stores, with who ran them, also in stores that are gone")
	return func(c *call) error {
		if *all {
			return runTrail(c, &from)
		}
		return runHistory(c, &from)
	}
}

// runHistory lists a store's last imports and acts, the newest first.
func runHistory(c *call, from *storeFlags) error {
	if err := c.noArguments(historyUsage); err != nil {
		return err
	}
	store, err := from.id("store", historyUsage)
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
	codes, err := db.CodesGiven(context.Background(), store)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "IMPORTED\tREVISION\tPRODUCTS\tBY")
	for _, i := range imports {
		by := shownName(i.By)
		if i.Sets > 1 {
			by += ", " + numberOf(i.Sets, "change")
		}
		fmt.Fprintf(table, "%s\t%s\t%d\t%s\n", shownTime(i.At), i.Revision, i.Products, by)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(c.stdout)
	fmt.Fprintln(table, "TIME\tACT\tON")
	for _, a := range acts {
		on := shownName(a.On)
		if a.Key != "" {
			on = strings.TrimPrefix(on+", key "+shownName(a.Key), ", ")
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", shownTime(a.At), a.Name, on)
	}
	if err := table.Flush(); err != nil || len(codes) == 0 {
		return err
	}
	fmt.Fprintln(c.stdout)
	fmt.Fprintln(table, "CODES GIVEN\tDISCOUNT\tBATCH\tCODES\tNEXT SERIAL\tBY")
	for _, g := range codes {
		fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%d\t%s\n", shownTime(g.At), g.Discount, g.Batch, g.Count, g.Next, shownName(g.By))
	}
	return table.Flush()
}

// runTrail lists what operators' commands have changed, the newest first.
func runTrail(c *call, from *storeFlags) error {
	if err := c.noArguments(historyUsage); err != nil {
		return err
	}
	if from.store != "" {
		return commandline.Usage("--store and --all are both given: give one")
	}
	db, err := from.open()
	if err != nil {
		return err
	}
	defer db.Close()
	deeds, err := db.Deeds(context.Background())
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "BEGAN\tENDED\tSTORE\tUSER\tHOST\tCOMMAND\tACT\tON\tFAULT")
	for i := range deeds {
		d := &deeds[i]
		began, ended := "-", shownTime(d.At)
		if d.Began != 0 {
			began = shownTime(time.UnixMilli(d.Began).UTC())
		}
		if d.UnderWay {
			ended, d.Fault = "-", "has not ended: it runs, or was killed"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", began, ended, d.Store, shownName(d.User), shownName(d.Host), d.Command, d.Act,
			shownName(d.On), shownName(d.Fault))
	}
	return table.Flush()
}
