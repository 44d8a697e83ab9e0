package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/commandline"
	"cartd/persistence/operator"
)

const eraseUsage = "cartd erase --redis URL --store ID --customer ID|E-MAIL|external:ID [--keep-invoices] [--yes]"

func defineErase(fs *flag.FlagSet) func(*call) error {
	var from storeFlags
	from.flags(fs)
	from.waitFlag(fs)
	customer := fs.String("customer", "", "`ID` or e-mail address of the customer, or external: and the account's external id")
	keepInvoices := fs.Bool("keep-invoices", false,
		"leave the address of the invoice of orders, which the law asks to keep: the billing address, else the shipping address")
	yes := fs.Bool("yes", false, "erase without asking")
	return func(c *call) error { return runErase(c, &from, *customer, *keepInvoices, *yes) }
}

// runErase removes a customer's personal data from a store and reports the erased records. It names the
// orders that can no longer be shipped, and asks before, unless yes is given.
func runErase(c *call, from *storeFlags, customer string, keepInvoices, yes bool) error {
	store, err := from.id(c, eraseUsage)
	if err != nil {
		return err
	}
	if _, isID := commerce.ParseID(customer); !isID && !strings.HasPrefix(customer, operator.ExternalPrefix) {
		if _, isEmail := commerce.ParseEmail(customer); !isEmail {
			return commandline.Usage("--customer must be an id, an e-mail address, or external: and an external id: %s", eraseUsage)
		}
	}
	db, err := from.open()
	if err != nil {
		return err
	}
	defer db.Close()
	unshipped, err := operator.New(db).OrdersToShip(context.Background(), store, customer, keepInvoices)
	if errors.Is(err, operator.ErrNotFound) {
		return fmt.Errorf("there is no customer %s in store %s", customer, store)
	}
	if err != nil {
		return fmt.Errorf("%w: run cartd erase again, it continues", err)
	}
	if len(unshipped) > 0 {
		fmt.Fprintf(c.stdout, "Not shipped yet, and without an address afterwards: %s.\n", orderNumbers(unshipped))
	}
	if !yes && !c.typed("yes", "This erases the personal data of customer %s in store %s for good.", customer, store) {
		return errors.New("nothing was erased: yes was not typed; a program gives --yes")
	}
	undertaken := c.begin(db, from.operator, deed(store, "erase", ""))
	ids, report, err := operator.New(db).EraseCustomer(context.Background(), store, customer, keepInvoices)
	for _, row := range report {
		fmt.Fprintf(c.stdout, "%s: %d (%s)\n", row.Kind, row.Records, row.Parts)
	}
	untold := undertaken.end(erasedText(ids, report), err)
	if err != nil {
		return fmt.Errorf("%w: run cartd erase again, it continues", err)
	}
	_, err = fmt.Fprint(c.stdout, `
Still to do, if it applies:
- Remove the customer from the store document: the next import would bring the data back.
- Events that wait for a webhook may name the customer; each is delivered or given up within a day.
- Redis's append-only file holds the data until it is rewritten: redis-cli BGREWRITEAOF.
- Backups hold the data until they are deleted.
- Files of archived orders (cartd orders --archive-before) hold the data until its lines are removed.
`)
	if err = cmp.Or(untold, err); err != nil {
		return err
	}
	return from.awaitReplicas(db)
}

// erasedText names the ids of an erased customer and what was erased; no address.
func erasedText(ids []uuid.UUID, report []operator.Erased) string {
	var all []string
	for _, id := range ids {
		all = append(all, id.String())
	}
	for _, row := range report {
		if row.Records > 0 {
			all = append(all, fmt.Sprintf("%s: %d", row.Kind, row.Records))
		}
	}
	return strings.Join(all, ", ")
}

// orderNumbers lists orders: order 3, order 7. Of many it lists the first.
func orderNumbers(numbers []int64) string {
	const shown = 20
	var all []string
	for _, n := range numbers[:min(len(numbers), shown)] {
		all = append(all, fmt.Sprint("order ", n))
	}
	if more := len(numbers) - shown; more > 0 {
		all = append(all, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(all, ", ")
}
