package main

import (
	"errors"
	"flag"
	"fmt"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/commandline"
	"cartd/persistence/operator"
)

// customerCommand approves the account of a business, or says whether its VAT id is good for reverse charge.
func customerCommand() *operatorCommand {
	approval := &approval{}
	return &operatorCommand{
		flags: func(fs *flag.FlagSet) {
			fs.StringVar(&approval.group, "group", "", "`ID` of the customer group that it gets; its group stays if absent")
		},
		acts: []act{
			{
				flag: "approve", value: "ID", help: "`ID` of the account to approve", with: "[--group ID]", audit: "approve",
				check: approval.check, plan: approval.plan, do: approval.do,
			},
			reverseChargeAct("reverse-charge", "`ID` of the account whose VAT id is good for reverse charge", true),
			reverseChargeAct("no-reverse-charge", "`ID` of the account whose VAT id is not", false),
		},
	}
}

// customerID reads the value of an act's flag as the id of a customer.
func customerID(flag string, j *job) (uuid.UUID, error) {
	id, ok := commerce.ParseID(j.value)
	if !ok {
		return id, commandline.Usage("--%s %q is no id of a customer: see cartd show customer E-MAIL", flag, j.value)
	}
	return id, nil
}

// noAccount says in the words of the command that there is no such account.
func noAccount(err error, j *job, id uuid.UUID) error {
	if errors.Is(err, operator.ErrNotFound) {
		return fmt.Errorf("there is no account %s in store %s", id, j.store)
	}
	return err
}

// approval approves an account of a business that has registered itself.
type approval struct {
	group       string
	id, groupID uuid.UUID
	store       *commerce.Store
}

func (a *approval) check(j *job) (err error) {
	if a.id, err = customerID("approve", j); err != nil || a.group == "" {
		return err
	}
	var ok bool
	if a.groupID, ok = commerce.ParseID(a.group); !ok {
		return commandline.Usage("--group %q is no id of a customer group", a.group)
	}
	return nil
}

func (a *approval) plan(j *job) (string, error) {
	loaded, err := j.db.LoadStore(j, j.store)
	if err != nil {
		return "", err
	}
	a.store = loaded.Store
	if a.groupID == uuid.Nil {
		return a.id.String(), nil
	}
	if a.store.Group(a.groupID) == nil {
		return "", fmt.Errorf("the store has no customer group %s", a.groupID)
	}
	return fmt.Sprintf("%s (group %s)", a.id, a.groupID), nil
}

func (a *approval) do(j *job) (done outcome, err error) {
	approved, anew, err := operator.New(j.db).ApproveCustomer(j, a.store, a.id, a.groupID)
	if err != nil {
		return done, noAccount(err, j, a.id)
	}
	done.changed, done.on = anew, a.id.String()
	text := fmt.Sprintf("customer %s was approved already", a.id)
	switch {
	case approved:
		text = fmt.Sprintf("approved customer %s", a.id)
	case anew && a.groupID != uuid.Nil:
		text += fmt.Sprintf("; its group is %s", a.groupID)
	}
	if a.groupID != uuid.Nil {
		done.on += fmt.Sprintf(" (group %s)", a.groupID)
	}
	_, err = fmt.Fprintln(j.stdout, text)
	return done, err
}

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
