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
