package main

import (
	"errors"
	"flag"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/commandline"
	"cartd/persistence/operator"
)

// eraseCommand removes a customer's personal data from a store.
func eraseCommand() *operatorCommand {
	config := &eraseConfig{}
	return &operatorCommand{
		flags: config.flags,
		acts: []act{{
			with: "--customer ID|E-MAIL|external:ID [--keep-invoices] [--yes]", audit: "erase",
			check: config.check, plan: config.plan, do: config.erase,
		}},
	}
}

// eraseConfig has the flags of cartd erase.
type eraseConfig struct {
	customer          string
	keepInvoices, yes bool
}

func (config *eraseConfig) flags(fs *flag.FlagSet) {
	fs.StringVar(&config.customer, "customer", "", "`ID` or e-mail address of the customer, or external: and the account's external id")
	fs.BoolVar(&config.keepInvoices, "keep-invoices", false,
		"leave the address of the invoice of orders, which the law asks to keep: the billing address, else the shipping address")
	fs.BoolVar(&config.yes, "yes", false, "erase without asking")
}

func (config *eraseConfig) check(j *job) error {
	_, isID := commerce.ParseID(config.customer)
	_, isEmail := commerce.ParseEmail(config.customer)
	if !isID && !isEmail && !strings.HasPrefix(config.customer, operator.ExternalPrefix) {
		return commandline.Usage("--customer must be an id, an e-mail address, or external: and an external id: %s", j.usage)
	}
	return nil
}

// plan names the orders that can no longer be shipped, and asks. The audit never has the address.
func (config *eraseConfig) plan(j *job) (string, error) {
	unshipped, err := operator.New(j.db).OrdersToShip(j, j.store, config.customer, config.keepInvoices)
	if errors.Is(err, operator.ErrNotFound) {
		return "", fmt.Errorf("there is no customer %s in store %s", config.customer, j.store)
	}
	if err != nil {
		return "", again(err)
	}
	if len(unshipped) > 0 {
		fmt.Fprintf(j.stdout, "Not shipped yet, and without an address afterwards: %s.\n", orderNumbers(unshipped))
	}
	if !config.yes && !j.typed("yes", "This erases the personal data of customer %s in store %s for good.", config.customer, j.store) {
		return "", errors.New("nothing was erased: yes was not typed; a program gives --yes")
	}
	return "", nil
}

// erase erases and reports the erased records.
func (config *eraseConfig) erase(j *job) (outcome, error) {
	ids, report, err := operator.New(j.db).EraseCustomer(j, j.store, config.customer, config.keepInvoices)
	for _, row := range report {
		fmt.Fprintf(j.stdout, "%s: %d (%s)\n", row.Kind, row.Records, row.Parts)
	}
	done := changed(erasedText(ids, report))
	if err != nil {
		return done, again(err)
	}
	_, err = fmt.Fprint(j.stdout, `
Still to do, if it applies:
- Remove the customer from the store document: the next import would bring the data back.
- Events that wait for a webhook may name the customer; each is delivered or given up within a day.
- Redis's append-only file holds the data until it is rewritten: redis-cli BGREWRITEAOF.
- Backups hold the data until they are deleted.
- Files of archived orders (cartd orders --archive-before) hold the data until its lines are removed.
`)
	return done, err
}

// again is the advice after an erasure that ended halfway.
func again(err error) error { return fmt.Errorf("%w: run cartd erase again, it continues", err) }

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
