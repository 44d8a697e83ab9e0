package main

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/user"
	"strconv"

	"github.com/google/uuid"

	"cartd/persistence"
	"cartd/persistence/stores"
)

// audit records what a command has changed: as a log line, and as an entry of the trail that outlives
// the store. fault is the error that ended the command halfway, nil if it is done; audit returns it, or
// the trail's own.
func (c *call) audit(db *persistence.DB, by string, deed stores.Deed, fault error) error {
	deed.Command, deed.User, deed.Host = "cartd "+c.name, cmp.Or(by, systemUser()), hostname()
	if fault != nil {
		deed.Fault = fault.Error()
	} else { // a failure is one line, that of the error
		logDeed(newLogger("json", slog.LevelInfo, c.stderr), &deed)
	}
	if err := db.RecordDeed(context.Background(), &deed); err != nil && fault == nil {
		return fmt.Errorf("done, but the audit trail does not have it: %w", err)
	}
	return fault
}

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
