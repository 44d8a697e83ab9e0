package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/answers"
	"cartd/internal/commandline"
	"cartd/persistence"
	"cartd/persistence/operator"
)

// orderArchive has the flags with which cartd orders archives old orders.
type orderArchive struct {
	before, out string
	yes         bool
}

func (a *orderArchive) flags(fs *flag.FlagSet) {
	fs.StringVar(&a.before, "archive-before", "",
		"archive the completed and cancelled orders placed before a `DATE` (2026-01-31 or a time): --out gets them, Redis keeps their numbers and amounts")
	fs.StringVar(&a.out, "out", "", "the new `FILE` that gets the archived orders; only its owner may read it")
	fs.BoolVar(&a.yes, "yes", false, "archive without asking where the date of --archive-before is not past")
}

// time is the time of --archive-before: of a date its first moment in UTC.
func (a *orderArchive) time() (time.Time, error) {
	at, err := time.Parse(time.DateOnly, a.before)
	if err != nil {
		var ok bool
		if at, ok = commerce.ParseTime(a.before); !ok {
			return at, commandline.Usage("--archive-before must be a date such as 2026-01-31, or a time of RFC 3339: %s", ordersUsage)
		}
	}
	if a.out == "" {
		return at, commandline.Usage("--archive-before needs --out FILE, which gets the orders: %s", ordersUsage)
	}
	return at, nil
}

// errNoOrders ends a run that has nothing to archive: its file is not kept.
var errNoOrders = errors.New("no order to archive")

// archivedOrder is an order in the file: its id, and the hash of its line.
type archivedOrder struct {
	id   uuid.UUID
	hash [sha256.Size]byte
}

// run writes the orders, and only when the file is on the disk takes them out of Redis. An order that
// has changed meanwhile stays whole. A second run after an interruption goes on, with a file of its own.
func (a *orderArchive) run(c *call, db *persistence.DB, store uuid.UUID, from *storeFlags) error {
	before, err := a.time()
	if err != nil {
		return err
	}
	if before.After(time.Now()) && !a.yes &&
		!c.typed("yes", "%s is not past: this archives every completed and cancelled order of store %s, those of this minute too, for good.",
			before.Format(time.RFC3339), store) {
		return errors.New("nothing was archived: yes was not typed; a program gives --yes")
	}
	var written []archivedOrder
	err = writeNewFile(a.out, func(w io.Writer) error {
		buffered := bufio.NewWriterSize(w, 1<<16)
		err := db.EachOrder(store, 0, func(o *commerce.Order) error {
			if !o.Archivable(before) {
				return nil
			}
			line := archiveLine(o)
			written = append(written, archivedOrder{o.ID, sha256.Sum256(line)})
			_, err := buffered.Write(line)
			return err
		})
		if err == nil && len(written) == 0 {
			err = errNoOrders
		}
		return errors.Join(err, buffered.Flush())
	})
	if err != nil && !errors.Is(err, errNoOrders) {
		return fmt.Errorf("--out %s: %w: nothing was archived", a.out, withoutPath(err))
	}
	archived, changed := 0, 0
	undertaken := c.begin(db, from.operator, deed(store, "archive orders", "at most "+fmt.Sprint(len(written))))
	for _, order := range written {
		done, err := operator.New(db).ArchiveOrder(context.Background(), store, order.id, func(o *commerce.Order) bool {
			return sha256.Sum256(archiveLine(o)) == order.hash
		})
		if err != nil {
			err = fmt.Errorf("%d of %d orders are archived: %w: keep %s and run it again with another --out", archived, len(written), err, a.out)
			return undertaken.end(fmt.Sprint(archived), err)
		}
		if done {
			archived++
		} else {
			changed++
		}
	}
	if archived == 0 && len(written) > 0 { // all have changed meanwhile
		if err := os.Remove(a.out); err != nil {
			return fmt.Errorf("--out %s: %w", a.out, withoutPath(err))
		}
	}
	fmt.Fprintf(c.stdout, "archived: %s placed before %s\n", numberOf(archived, "order"), before.Format(time.RFC3339))
	if changed > 0 {
		fmt.Fprintf(c.stdout, "left: %s that changed meanwhile; run it again with another --out\n", numberOf(changed, "order"))
	}
	if archived == 0 {
		undertaken.drop()
	} else if err := undertaken.end(fmt.Sprint(archived), nil); err != nil {
		return err
	}
	return from.awaitReplicas(db)
}

// archiveLine is an order as the merchant sees it, as one line of JSON.
func archiveLine(o *commerce.Order) []byte { return append(answers.StoreOrder.Append(nil, o), '\n') }
