package main

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"cartd/commerce/storefile"
	"cartd/persistence"
	"cartd/persistence/stores"
)

// sharedExternalIDs warns of the external ids that several customers of a document have.
func sharedExternalIDs(doc *storefile.Document) (all []string) {
	holders := map[string][]uuid.UUID{}
	for i := range doc.Customers {
		if c := &doc.Customers[i]; c.ExternalID != "" {
			holders[c.ExternalID] = append(holders[c.ExternalID], c.ID)
		}
	}
	var shared []string
	for i := range doc.Customers {
		c := &doc.Customers[i]
		if ids := holders[c.ExternalID]; len(ids) > 1 && ids[0] == c.ID {
			shared = append(shared, fmt.Sprintf("%q of %s and %s", c.ExternalID, ids[0], ids[1]))
		}
	}
	if len(shared) > 0 {
		all = append(all, fmt.Sprintf("%s of more than one customer, of whom a login finds the first: %s (docs/api/customers.md#accounts-that-live-elsewhere)",
			numberOf(len(shared), "external id"), firstOf(shared)))
	}
	return all
}

// takenExternalIDs warns of the external ids that an import takes from accounts.
func takenExternalIDs(db *persistence.DB, doc *storefile.Document) (all []string, err error) {
	found, err := db.TakenExternalIDs(context.Background(), stores.DocumentOf(doc))
	if err != nil || len(found) == 0 {
		return nil, err
	}
	taken := make([]string, len(found))
	for i, one := range found {
		taken[i] = fmt.Sprintf("%q from %s to %s", one.ExternalID, one.From, one.To)
	}
	return []string{fmt.Sprintf("an import takes %s from other accounts: %s (docs/api/customers.md#accounts-that-live-elsewhere)",
		numberOf(len(taken), "external id"), firstOf(taken))}, nil
}
