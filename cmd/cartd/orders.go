package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
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

const ordersUsage = "cartd orders --redis URL --store ID [--since N|ID@TIME] [--status STATUS] [--table] | --next N | --archive-before DATE --out FILE [--yes]"

// ordersConfig has the flags of cartd orders.
type ordersConfig struct {
	from    storeFlags
	since   string
	status  string
	next    int64
	table   bool
	archive orderArchive
}

func defineOrders(fs *flag.FlagSet) func(*call) error {
	config := &ordersConfig{}
	config.from.flags(fs)
	config.from.waitFlag(fs)
	fs.StringVar(&config.since, "since", "0",
		"write only the orders after number `N`; or ID@TIME, an order's id and placed_at: after that order or, if it is gone, those placed since")
	fs.StringVar(&config.status, "status", "", "write only the orders of a `STATUS`: placed, cancelled, completed")
	fs.BoolVar(&config.table, "table", false, "write a row for people for each order instead of JSON; TAXES is RATE:BASE+TAX for each rate")
	fs.Int64Var(&config.next, "next", 0, "write nothing; raise the counter, so that the next order gets the number `N`")
	config.archive.flags(fs)
	return func(c *call) error {
		if err := config.oneAct(fs); err != nil {
			return err
		}
		return runOrders(c, config)
	}
}

// oneAct refuses flags of different acts: an archive or a gap takes no filter of the list.
func (config *ordersConfig) oneAct(fs *flag.FlagSet) error {
	act := ""
	for _, name := range []string{"archive-before", "next", "since", "status", "table"} {
		switch {
		case !isGiven(fs, name):
		case act == "":
			act = name
		case act == "archive-before" || act == "next":
			return commandline.Usage("--%s does not go with --%s: %s", name, act, ordersUsage)
		}
	}
	return nil
}

// runOrders writes a store's orders, also those of guests, as JSON lines in the order of their numbers,
// or raises the counter of their numbers.
func runOrders(c *call, config *ordersConfig) error {
	id, err := config.from.id(c, ordersUsage)
	if err != nil {
		return err
	}
	since, err := parseSince(config.since)
	if err != nil {
		return err
	}
	status, known := commerce.ParseOrderStatus(config.status)
	switch {
	case config.status != "" && !known:
		return commandline.Usage("--status must be one of %s: %s", strings.Join(commerce.OrderStatusNames(), ", "), ordersUsage)
	case config.next < 0:
		return badNext(&operator.OrderNumbers, ordersUsage)
	case config.archive.before == "" && config.archive.out != "":
		return commandline.Usage("--out is for --archive-before: %s", ordersUsage)
	case config.archive.before != "":
		if _, err := config.archive.time(); err != nil {
			return err
		}
	}
	db, err := config.from.open()
	if err != nil {
		return err
	}
	defer db.Close()
	if config.next > 0 {
		return config.from.leaveOut(c, db, id, &operator.OrderNumbers, config.next)
	}
	if config.archive.before != "" {
		return config.archive.run(c, db, id, &config.from)
	}
	if since.id != uuid.Nil {
		if err := since.resolve(db, id); err != nil {
			return err
		}
	}
	write, flush := orderLines(c.stdout)
	if config.table {
		write, flush = orderRows(c.stdout)
	}
	err = db.EachOrder(id, since.number, func(o *commerce.Order) error {
		if config.status != "" && o.Status != status || o.PlacedAt.Before(since.at) {
			return nil
		}
		return write(o)
	})
	return errors.Join(err, flush())
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
	fmt.Fprintln(table, "NUMBER\tID\tPLACED\tSTATUS\tPAYMENT\tTOTAL\tTAX_COUNTRY\tTAX_EXEMPTION\tTAXES\tFULFILMENT\tREFUNDED_AMOUNT\tE-MAIL")
	return func(o *commerce.Order) error {
		_, err := fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", o.Number, o.ID, shownTime(o.PlacedAt), o.Status, o.PaymentStatus(),
			shownAmount(o.Totals.Total), cmp.Or(o.Tax.Country.String(), "-"), cmp.Or(o.Tax.Exemption.String(), "-"), shownTaxes(o.Totals.Breakdown),
			o.Fulfilment(), shownAmount(o.Refunded()), commandline.AppendPrintable(nil, []byte(o.Email)))
		return err
	}, table.Flush
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

func parseSince(text string) (s ordersSince, err error) {
	id, at, named := strings.Cut(text, "@")
	if named {
		var ok bool
		s.id, ok = commerce.ParseID(id)
		s.at, err = time.Parse(time.RFC3339, at)
		if !ok || err != nil {
			return s, commandline.Usage("--since must be an order's id and placed_at, for instance 9f6c1f0e-7d55-4f27-9a3b-2b2f6f5d1c10@2026-11-20T10:00:00Z, or a "+
				"number: %s", ordersUsage)
		}
		return s, nil
	}
	if s.number, err = strconv.ParseInt(text, 10, 64); err != nil || s.number < 0 {
		return s, commandline.Usage("--since must be the number of an order, or 0: %s", ordersUsage)
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
