package main

import (
	"errors"
	"fmt"

	"github.com/google/uuid"

	"cartd/internal/commandline"
	"cartd/persistence/operator"
)

// reverseChargeAct says that an account's VAT id is good for reverse charge, or that it is not.
func reverseChargeAct(flag, help string, to bool) act {
	var id uuid.UUID
	return act{
		flag: flag, value: "ID", help: help, audit: flag,
		check: func(j *job) (err error) {
			id, err = customerID(flag, j)
			return err
		},
		do: func(j *job) (outcome, error) {
			loaded, err := j.db.LoadStore(j, j.store)
			if err != nil {
				return outcome{}, err
			}
			vatID, changed, err := operator.New(j.db).SetReverseCharge(j, loaded.Store, id, to)
			if errors.Is(err, operator.ErrNoVATID) {
				return outcome{}, fmt.Errorf("the account %s has no VAT id", id)
			}
			if err != nil {
				return outcome{}, noAccount(err, j, id)
			}
			text := fmt.Sprintf("customer %s has no reverse charge", id)
			if to {
				text = fmt.Sprintf("customer %s has reverse charge, VAT id %s", id, commandline.AppendPrintable(nil, []byte(vatID)))
			}
			_, err = fmt.Fprintln(j.stdout, text)
			return outcome{changed: changed, on: id.String()}, err
		},
	}
}
