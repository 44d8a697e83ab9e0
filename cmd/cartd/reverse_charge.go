package main

import (
	"context"
	"errors"
	"fmt"

	"cartd/commerce"
	"cartd/internal/commandline"
	"cartd/persistence/operator"
)

// runReverseCharge says that an account's VAT id is good for reverse charge, or that it is not.
func runReverseCharge(c *call, from *storeFlags, name, customer string, to bool) error {
	store, err := from.id(c, customerUsage)
	if err != nil {
		return err
	}
	id, ok := commerce.ParseID(customer)
	if !ok {
		return commandline.Usage("--%s %q is no id of a customer: see cartd show customer E-MAIL", name, customer)
	}
	db, err := from.open()
	if err != nil {
		return err
	}
	defer db.Close()
	undertaken := c.begin(db, from.operator, deed(store, name, id.String()))
	vatID, changed, err := operator.New(db).SetReverseCharge(context.Background(), store, id, to)
	if !changed {
		undertaken.drop()
	}
	switch {
	case errors.Is(err, operator.ErrNotFound):
		return fmt.Errorf("there is no account %s in store %s", id, store)
	case errors.Is(err, operator.ErrNoVATID):
		return fmt.Errorf("the account %s has no VAT id", id)
	case err != nil:
		return err
	}
	state := "has"
	if !to {
		state = "has no"
	}
	fmt.Fprintf(c.stdout, "customer %s %s reverse charge", id, state)
	if to {
		fmt.Fprintf(c.stdout, ", VAT id %s", commandline.AppendPrintable(nil, []byte(vatID)))
	}
	fmt.Fprintln(c.stdout)
	if changed {
		if err := undertaken.end(id.String(), nil); err != nil {
			return err
		}
	}
	return from.awaitReplicas(db)
}
