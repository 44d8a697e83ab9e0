package bench

import (
	"context"
	"fmt"
)

// Sample is a system's answer to one operation.
type Sample struct {
	Op      string
	Creates bool
	Spec    Operation
	Body    string
}

// Samples are answers about a cart of three lines and a full address book.
type Samples struct {
	List        []Sample
	Empty, Full string // the ids of a cart without lines and of a cart with three
	Customer    string
}

// TakeSamples prepares carts and an address book, performs each operation of the adapter once, and
// returns the answers.
func TakeSamples(ctx context.Context, target string, a *Adapter, seed uint64) (*Samples, error) {
	scenario := Scenario{Name: "samples", Lines: threeLines, Extra: 1, Mix: []Share{{"read", 1}, {"add", 1}, {"change", 1}, {"remove", 1}, {"address_list", 1}}}
	w, err := NewWorld(ctx, Plan{
		Case: "samples", Target: target, Adapter: a, Scenario: scenario, Connections: 1, Carts: 3, Stores: 1, Seed: seed, Timeout: sampleTimeout,
	})
	if err != nil {
		return nil, err
	}
	defer w.Close()
	v := w.visitors[0]
	found := &Samples{Customer: customerID(v.books[0].customer), Full: v.carts[0].id}
	empty := &record{}
	cart, sold, book := v.carts[0], v.carts[2], v.books[0]
	for len(book.lines) < bookSize-1 {
		if err := v.must(ctx, v.decideAddress(opAddressAdd, book)); err != nil {
			return nil, err
		}
	}
	steps := []func() *step{
		func() *step { return &step{op: opCreate, rec: empty, line: -1} },
		func() *step { return &step{op: opRead, rec: cart, line: -1} },
		func() *step {
			return &step{op: opAdd, rec: cart, line: 0, article: cart.lines[0].article, quantity: One}
		},
		func() *step {
			return &step{op: opChange, rec: cart, line: 0, article: cart.lines[0].article, quantity: 42 * One}
		},
		func() *step { return &step{op: opRemove, rec: v.carts[1], line: 0} },
		func() *step { return &step{op: opCode, rec: sold, line: -1} },
		func() *step { return &step{op: opCheckout, rec: sold, line: -1} },
		func() *step { return v.decideBrowse(opProduct) },
		func() *step { return v.decideBrowse(opProductList) },
		func() *step { return v.decideAddress(opAddressAdd, book) },
		func() *step { return v.decideAddress(opAddressChange, book) },
		func() *step { return v.decideAddress(opAddressRemove, book) },
		func() *step { return &step{op: opAddressList, rec: book, line: -1} },
	}
	for _, next := range steps {
		s := next()
		if err := v.must(ctx, s); err != nil {
			return nil, fmt.Errorf("sample of %s: %w", s.op, err)
		}
		found.List = append(found.List, Sample{
			Op: s.op.String(), Creates: s.op == opCreate, Spec: a.Operations[s.op.String()], Body: string(v.response.Body()),
		})
	}
	found.Empty = empty.id
	return found, nil
}
