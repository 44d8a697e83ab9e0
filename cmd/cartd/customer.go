package main

import (
	"context"
	"errors"
	"flag"
	"fmt"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/commandline"
	"cartd/persistence/operator"
)

const customerUsage = "cartd customer --redis URL --store ID --approve ID [--group ID] | --reverse-charge ID | --no-reverse-charge ID"

func defineCustomer(fs *flag.FlagSet) func(*call) error {
	var from storeFlags
	from.flags(fs)
	from.waitFlag(fs)
	approve := fs.String("approve", "", "`ID` of the account to approve")
	group := fs.String("group", "", "`ID` of the customer group that it gets; its group stays if absent")
	charge := fs.String("reverse-charge", "", "`ID` of the account whose VAT id is good for reverse charge")
	noCharge := fs.String("no-reverse-charge", "", "`ID` of the account whose VAT id is not")
	return func(c *call) error {
		acts := 0
		for _, id := range []string{*approve, *charge, *noCharge} {
			if id != "" {
				acts++
			}
		}
		switch {
		case acts > 1:
			return commandline.Usage("one act at a time: %s", customerUsage)
		case *group != "" && *approve == "" && acts == 1:
			return commandline.Usage("--group is for --approve: %s", customerUsage)
		case *charge != "":
			return runReverseCharge(c, &from, "reverse-charge", *charge, true)
		case *noCharge != "":
			return runReverseCharge(c, &from, "no-reverse-charge", *noCharge, false)
		}
		return runCustomer(c, &from, *approve, *group)
	}
}

// runCustomer approves an account of a business that has registered itself.
func runCustomer(c *call, from *storeFlags, approve, group string) error {
	store, err := from.id(c, customerUsage)
	if err != nil {
		return err
	}
	id, ok := commerce.ParseID(approve)
	switch {
	case approve == "":
		return commandline.Usage("--approve is missing: %s", customerUsage)
	case !ok:
		return commandline.Usage("--approve %q is no id of a customer: see cartd show customer E-MAIL", approve)
	}
	groupID := uuid.Nil
	if group != "" {
		if groupID, ok = commerce.ParseID(group); !ok {
			return commandline.Usage("--group %q is no id of a customer group", group)
		}
	}
	db, err := from.open()
	if err != nil {
		return err
	}
	defer db.Close()
	ctx := context.Background()
	loaded, err := db.LoadStore(ctx, store)
	if err != nil {
		return err
	}
	if groupID != uuid.Nil && loaded.Store.Group(groupID) == nil {
		return fmt.Errorf("the store has no customer group %s", groupID)
	}
	on := id.String()
	if groupID != uuid.Nil {
		on += " (group " + groupID.String() + ")"
	}
	undertaken := c.begin(db, from.operator, deed(store, "approve", on))
	approved, changed, err := operator.New(db).ApproveCustomer(ctx, loaded.Store, id, groupID)
	if !changed {
		undertaken.drop()
	}
	switch {
	case errors.Is(err, operator.ErrNotFound):
		return fmt.Errorf("there is no account %s in store %s", id, store)
	case err != nil:
		return err
	case approved:
		fmt.Fprintf(c.stdout, "approved customer %s\n", id)
	case changed && groupID != uuid.Nil:
		fmt.Fprintf(c.stdout, "customer %s was approved already; its group is %s\n", id, groupID)
	default:
		fmt.Fprintf(c.stdout, "customer %s was approved already\n", id)
	}
	if changed {
		if err := undertaken.end(on, nil); err != nil {
			return err
		}
	}
	return from.awaitReplicas(db)
}
