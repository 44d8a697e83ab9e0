package storefile

import (
	"fmt"
	"slices"

	"github.com/google/uuid"

	"cartd/commerce"
)

// besideStore is a store beside a change set that is judged alone.
type besideStore struct {
	*commerce.Store
	categories map[uuid.UUID]bool // nil until the first reference to a category
}

// has reports whether the store has an entry; false if there is no store.
func (b *besideStore) has(target string, id uuid.UUID) bool {
	switch {
	case b == nil:
		return false
	case target == aProduct:
		return b.Product(id) != nil
	case target == aGroup:
		return b.Group(id) != nil
	}
	if b.categories == nil {
		b.categories = map[uuid.UUID]bool{}
		for i := range b.Categories {
			b.categories[b.Categories[i].ID] = true
		}
	}
	return b.categories[id]
}

// taxCodes are the codes of the store's tax rates.
func (b *besideStore) taxCodes() (codes []string) {
	if b != nil {
		for _, rate := range b.TaxRates {
			codes = append(codes, rate.Code)
		}
	}
	return codes
}

// Judge refuses a change set that is faulty whatever the rest of the document is: a price below zero, a
// missing name. It costs the time of the set, and not that of the store's document. References may also
// name entries of beside, the store as it is known. A set whose only faults are missing entries is not
// refused, because a set that is carried out ahead of it may bring them. The error is a *Faults.
func (c *ChangeSet) Judge(beside *commerce.Store) error {
	stub := `{"format":1,"store":{"id":"` + beside.ID.String() + `","name":"-","modules":[]}`
	if c.product != uuid.Nil {
		if beside.Product(c.product) == nil {
			return nil // Merge says whether the store has the product
		} // a store with a product has a tax rate
		stub += fmt.Sprintf(`,"products":[{"id":"%s","name":"-","slug":"-","tax":%s}]`, c.product, AppendText(nil, beside.TaxRates[0].Code))
	}
	_, d, err := merge([]byte(stub+"}"), []*ChangeSet{c})
	if err != nil {
		return err
	}
	d.beside, d.partial = &besideStore{Store: beside}, c.product != uuid.Nil
	d.read()
	if !slices.ContainsFunc(d.found, func(f found) bool { return !f.dangling }) {
		return nil
	}
	return d.faults(d.merged.text, d.root)
}
