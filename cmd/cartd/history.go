package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/user"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/google/uuid"

	"cartd/internal/commandline"
	"cartd/persistence"
	"cartd/persistence/stores"
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

// undertaking is a command that changes something. The trail, which outlives the store, has an entry from its
// begin on, so that a killed command leaves one, too.
type undertaking struct {
	c    *call
	db   *persistence.DB
	deed stores.Deed
}

// begin comes ahead of a command's first write. An entry that cannot be written is told at the end.
func (c *call) begin(db *persistence.DB, by string, deed stores.Deed) *undertaking {
	u := &undertaking{c, db, deed}
	u.deed.Command, u.deed.User, u.deed.Host = "cartd "+c.name, cmp.Or(by, systemUser()), hostname()
	_ = db.BeginDeed(context.Background(), &u.deed)
	return u
}

// end records what the command has changed: as a log line, and in the trail. fault is the error that ended
// it halfway, nil if it is done; end returns it, or the trail's own.
func (u *undertaking) end(on string, fault error) error {
	u.deed.On = on
	if fault != nil {
		u.deed.Fault = fault.Error()
	} else { // a failure is one line, that of the error
		logDeed(newLogger("json", slog.LevelInfo, u.c.stderr, nil), &u.deed)
	}
	if err := u.db.EndDeed(context.Background(), &u.deed); err != nil && fault == nil {
		return fmt.Errorf("done, but the audit trail does not have it: %w", err)
	}
	return fault
}

// drop ends a command that has changed nothing. If Redis does not answer, the entry of the begin stays.
func (u *undertaking) drop() { _ = u.db.DropDeed(context.Background(), &u.deed) }

// logDeed writes the log line of a deed.
func logDeed(log *slog.Logger, d *stores.Deed) {
	log.Info("operator", "command", d.Command, "act", d.Act, "store", d.Store.String(), "on", d.On, "user", d.User, "host", d.Host)
}

// deed is an act on a store.
func deed(store uuid.UUID, act, on string) stores.Deed {
	return stores.Deed{Store: store, Act: act, On: on}
}

// systemUser is the user of the system who runs the program; with sudo both names.
func systemUser() string {
	name := strconv.Itoa(os.Getuid())
	if u, err := user.Current(); err == nil {
		name = cmp.Or(u.Username, name)
	}
	if by := os.Getenv("SUDO_USER"); by != "" && by != name {
		return by + " (as " + name + ")"
	}
	return name
}

// hostname is the machine's name; empty if the system does not tell it.
func hostname() string {
	name, err := os.Hostname()
	if err != nil {
		return ""
	}
	return name
}
