package main

import (
	"bufio"
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
	"cartd/persistence/operator"
)

// orderArchive has the flags with which cartd orders archives old orders.
type orderArchive struct {
	out     string
	yes     bool
	before  time.Time
	written []archivedOrder
}

func (a *orderArchive) flags(fs *flag.FlagSet) {
	fs.StringVar(&a.out, "out", "", "the new `FILE` that gets the archived orders; only its owner may read it")
	fs.BoolVar(&a.yes, "yes", false, "archive without asking where the date of --archive-before is not past")
}

// check reads the time of --archive-before: of a date its first moment in UTC.
func (a *orderArchive) check(j *job) (err error) {
	if a.before, err = time.Parse(time.DateOnly, j.value); err != nil {
		var ok bool
		if a.before, ok = commerce.ParseTime(j.value); !ok {
			return commandline.Usage("--archive-before must be a date such as 2026-01-31, or a time of RFC 3339: %s", j.usage)
		}
	}
	return nil
}

// errNoOrders ends a run that has nothing to archive: its file is not kept.
var errNoOrders = errors.New("no order to archive")

// archivedOrder is an order in the file: its id, and the hash of its line.
type archivedOrder struct {
	id   uuid.UUID
	hash [sha256.Size]byte
}

// plan writes the orders to the file. Only when it is on the disk they are taken out of Redis.
func (a *orderArchive) plan(j *job) (string, error) {
	if a.before.After(time.Now()) && !a.yes &&
		!j.typed("yes", "%s is not past: this archives every completed and cancelled order of store %s, those of this minute too, for good.",
			a.before.Format(time.RFC3339), j.store) {
		return "", errors.New("nothing was archived: yes was not typed; a program gives --yes")
	}
	err := writeNewFile(a.out, func(w io.Writer) error {
		buffered := bufio.NewWriterSize(w, 1<<16)
		err := j.db.EachOrder(j.store, 0, func(o *commerce.Order) error {
			if !o.Archivable(a.before) {
				return nil
			}
			line := archiveLine(o)
			a.written = append(a.written, archivedOrder{o.ID, sha256.Sum256(line)})
			_, err := buffered.Write(line)
			return err
		})
		if err == nil && len(a.written) == 0 {
			err = errNoOrders
		}
		return errors.Join(err, buffered.Flush())
	})
	if err != nil && !errors.Is(err, errNoOrders) {
		return "", fmt.Errorf("--out %s: %w: nothing was archived", a.out, withoutPath(err))
	}
	return "at most " + fmt.Sprint(len(a.written)), nil
}

// do takes the written orders out of Redis. An order that has changed meanwhile stays whole. A second run after an
// interruption goes on, with a file of its own.
func (a *orderArchive) do(j *job) (done outcome, err error) {
	archived, changed := 0, 0
	for _, order := range a.written {
		now, err := operator.New(j.db).ArchiveOrder(j, j.store, order.id, func(o *commerce.Order) bool {
			return sha256.Sum256(archiveLine(o)) == order.hash
		})
		if err != nil {
			done.changed, done.on = true, fmt.Sprint(archived)
			return done, fmt.Errorf("%d of %d orders are archived: %w: keep %s and run it again with another --out", archived, len(a.written), err, a.out)
		}
		if now {
			archived++
		} else {
			changed++
		}
	}
	if archived == 0 && len(a.written) > 0 { // all have changed meanwhile
		if err := os.Remove(a.out); err != nil {
			return done, fmt.Errorf("--out %s: %w", a.out, withoutPath(err))
		}
	}
	done.changed, done.on = archived > 0, fmt.Sprint(archived)
	done.show = func() error {
		fmt.Fprintf(j.stdout, "archived: %s placed before %s\n", numberOf(archived, "order"), a.before.Format(time.RFC3339))
		if changed > 0 {
			fmt.Fprintf(j.stdout, "left: %s that changed meanwhile; run it again with another --out\n", numberOf(changed, "order"))
		}
		return nil
	}
	return done, nil
}

// archiveLine is an order as the merchant sees it, as one line of JSON.
func archiveLine(o *commerce.Order) []byte { return append(answers.StoreOrder.Append(nil, o), '\n') }
