package main

import (
	"context"
	"errors"
	"flag"
	"fmt"

	"cartd/commerce"
	"cartd/internal/commandline"
	"cartd/persistence/operator"
)

const eraseUsage = "cartd erase --redis URL --store ID --customer ID|E-MAIL [--keep-invoices]"

func defineErase(fs *flag.FlagSet) func(*call) error {
	var from storeFlags
	from.flags(fs)
	from.waitFlag(fs)
	customer := fs.String("customer", "", "`ID` or e-mail address of the customer")
	keepInvoices := fs.Bool("keep-invoices", false, "leave the billing address of orders, for the invoices that the law asks to keep")
	return func(c *call) error { return runErase(c, &from, *customer, *keepInvoices) }
}

// runErase removes a customer's personal data from a store and reports the erased records.
func runErase(c *call, from *storeFlags, customer string, keepInvoices bool) error {
	store, err := from.id(c, eraseUsage)
	if err != nil {
		return err
	}
	if _, isID := commerce.ParseID(customer); !isID {
		if _, isEmail := commerce.ParseEmail(customer); !isEmail {
			return commandline.Usage("--customer must be an id or an e-mail address: %s", eraseUsage)
		}
	}
	db, err := from.open()
	if err != nil {
		return err
	}
	defer db.Close()
	report, err := operator.New(db).EraseCustomer(context.Background(), store, customer, keepInvoices)
	if errors.Is(err, operator.ErrNotFound) {
		return fmt.Errorf("there is no customer %s in store %s", customer, store)
	}
	for _, row := range report {
		fmt.Fprintf(c.stdout, "%s: %d (%s)\n", row.Kind, row.Records, row.Parts)
	}
	if err != nil {
		return fmt.Errorf("%w: run cartd erase again, it continues", err)
	}
	_, err = fmt.Fprint(c.stdout, `
Still to do, if it applies:
- Remove the customer from the store document: the next import would bring the data back.
- Events that wait for a webhook may name the customer; each is delivered or given up within a day.
- Redis's append-only file holds the data until it is rewritten: redis-cli BGREWRITEAOF.
- Backups hold the data until they are deleted.
`)
	if err != nil {
		return err
	}
	return from.awaitReplicas(db)
}
