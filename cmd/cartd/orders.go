package main

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/answers"
	"cartd/internal/commandline"
	"cartd/persistence"
	"cartd/persistence/operator"
)

// ordersCommand writes a store's orders, raises the counter of their numbers, or archives old ones.
func ordersCommand() *operatorCommand {
	list, archive := &orderList{}, &orderArchive{}
	return &operatorCommand{
		flags: func(fs *flag.FlagSet) {
			list.flags(fs)
			archive.flags(fs)
		},
		acts: []act{
			{with: "[--since N|ID@TIME] [--status STATUS] [--table]", check: list.check, do: list.write},
			leaveOutAct(&operator.OrderNumbers, "write nothing; raise the counter, so that the next order gets the number `N`"),
			{
				flag: "archive-before", value: "DATE", with: "--out FILE [--yes]", audit: "archive orders",
				help:  "archive the completed and cancelled orders placed before a `DATE` (2026-01-31 or a time): --out gets them, Redis keeps their numbers and amounts",
				check: archive.check, plan: archive.plan, do: archive.do,
			},
		},
	}
}

// orderList has the flags with which cartd orders writes orders.
type orderList struct {
	asked, status string
	table         bool
	since         ordersSince
}

func (l *orderList) flags(fs *flag.FlagSet) {
	fs.StringVar(&l.asked, "since", "0",
		"write only the orders after number `N`; or ID@TIME, an order's id and placed_at: after that order or, if it is gone, those placed since")
	fs.StringVar(&l.status, "status", "", "write only the orders of a `STATUS`: placed, cancelled, completed")
	fs.BoolVar(&l.table, "table", false, "write a row for people for each order instead of JSON; TAXES is RATE:BASE+TAX for each rate, "+
		"BACKORDERED the number of lines that wait for goods")
}

func (l *orderList) check(j *job) (err error) {
	if _, known := commerce.ParseOrderStatus(l.status); l.status != "" && !known {
		return commandline.Usage("--status must be one of %s: %s", strings.Join(commerce.OrderStatusNames(), ", "), j.usage)
	}
	l.since, err = parseSince(l.asked, j.usage)
	return err
}

// write writes a store's orders, also those of guests, as JSON lines in the order of their numbers.
func (l *orderList) write(j *job) (outcome, error) {
	if l.since.id != uuid.Nil {
		if err := l.since.resolve(j.db, j.store); err != nil {
			return outcome{}, err
		}
	}
	status, _ := commerce.ParseOrderStatus(l.status)
	write, flush := orderLines(j.stdout)
	if l.table {
		write, flush = orderRows(j.stdout)
	}
	err := j.db.EachOrder(j.store, l.since.number, func(o *commerce.Order) error {
		if l.status != "" && o.Status != status || o.PlacedAt.Before(l.since.at) {
			return nil
		}
		return write(o)
	})
	return outcome{}, errors.Join(err, flush())
}

// orderLines writes orders as the merchant sees them, each as one line of JSON.
func orderLines(w io.Writer) (write func(*commerce.Order) error, flush func() error) {
	buffered := bufio.NewWriterSize(w, 1<<16)
	lines := commandline.PrintableLines{To: buffered}
	var line []byte
	return func(o *commerce.Order) error {
		line = append(answers.StoreOrder.Append(line[:0], o), '\n')
		_, err := lines.Write(line)
		return err
	}, buffered.Flush
}

// orderRows writes a table of orders.
func orderRows(w io.Writer) (write func(*commerce.Order) error, flush func() error) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "NUMBER\tID\tPLACED\tSTATUS\tPAYMENT\tTOTAL\tTAX_COUNTRY\tTAX_EXEMPTION\tTAXES\t"+
		"FULFILMENT\tREFUNDED_AMOUNT\tBACKORDERED\tAVAILABLE_FROM\tE-MAIL")
	return func(o *commerce.Order) error {
		backordered, from := shownWaiting(o)
		_, err := fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", o.Number, o.ID, shownTime(o.PlacedAt), o.Status, o.PaymentStatus(),
			shownAmount(o.Totals.Total), cmp.Or(o.Tax.Country.String(), "-"), cmp.Or(o.Tax.Exemption.String(), "-"), shownTaxes(o.Totals.Breakdown),
			o.Fulfilment(), shownAmount(o.Refunded()), backordered, from, commandline.AppendPrintable(nil, []byte(o.Email)))
		return err
	}, table.Flush
}

// shownWaiting says how many lines of an order wait for goods, and until which day; "-" if none does, and if no
// day is known.
func shownWaiting(o *commerce.Order) (lines, from string) {
	n, last := 0, commerce.Date(0)
	for _, line := range o.Waiting() {
		if line.Backordered {
			n, last = n+1, max(last, line.From)
		}
	}
	lines, from = "-", "-"
	if n > 0 {
		lines = strconv.Itoa(n)
	}
	if last > 0 {
		from = last.String()
	}
	return lines, from
}

// shownTaxes are the rows of a breakdown, RATE:BASE+TAX with commas between them; "-" without a row.
func shownTaxes(rows []commerce.TaxRow) string {
	if len(rows) == 0 {
		return "-"
	}
	texts := make([]string, len(rows))
	for i, row := range rows {
		texts[i] = fmt.Sprintf("%s:%d.%02d+%d.%02d", row.Rate, row.Base/100, row.Base%100, row.Tax/100, row.Tax%100)
	}
	return strings.Join(texts, ",")
}

// ordersSince says after which order to begin: after a number, and with orders placed at a time or
// later.
type ordersSince struct {
	number int64
	at     time.Time
	// id is the order to begin after; zero if the number says it.
	id uuid.UUID
}

func parseSince(text, usage string) (s ordersSince, err error) {
	id, at, named := strings.Cut(text, "@")
	if named {
		var ok bool
		s.id, ok = commerce.ParseID(id)
		s.at, err = time.Parse(time.RFC3339, at)
		if !ok || err != nil {
			return s, commandline.Usage("--since must be an order's id and placed_at, for instance 9f6c1f0e-7d55-4f27-9a3b-2b2f6f5d1c10@2026-11-20T10:00:00Z, or a "+
				"number: %s", usage)
		}
		return s, nil
	}
	if s.number, err = strconv.ParseInt(text, 10, 64); err != nil || s.number < 0 {
		return s, commandline.Usage("--since must be the number of an order, or 0: %s", usage)
	}
	return s, nil
}

// resolve finds the number of the order to begin after. If Redis does not have the order any more, its
// time says where to begin.
func (s *ordersSince) resolve(db *persistence.DB, store uuid.UUID) error {
	found, err := operator.Find(context.Background(), operator.New(db), persistence.Orders, store, s.id)
	if errors.Is(err, operator.ErrNotFound) {
		return nil
	}
	if err == nil {
		s.number, s.at = found.State.Number, time.Time{}
	}
	return err
}

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
