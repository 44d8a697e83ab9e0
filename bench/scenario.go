package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
)

// Scenario describes the operations of visitors, as data. A file may contain one as JSON.
type Scenario struct {
	Name  string `json:"name"`
	About string `json:"about"`
	// Mix has the operations, drawn by their weights.
	Mix []Share `json:"mix,omitempty"`
	// Journey is what is done in place of a mix: each visitor does it again and again, in this order,
	// with a cart that it makes in the beginning.
	Journey []string `json:"journey,omitempty"`
	// After is what comes after each sale of a journey, in per cent of the orders: pay or cancel. The
	// others are left, and must end as unpaid.
	After []Share `json:"after,omitempty"`
	// Crawlers is the number of connections that read the catalogue beside those of a journey, one request
	// after the other, all from one address. Each journey is then a shopper with an address of its own: the
	// system has to trust this client as a proxy.
	Crawlers int `json:"crawlers,omitempty"`
	// Lines is the number of lines of each cart at the start of the run. Adds make at most Extra
	// more; then they merge into a line. Removals leave at least Lines.
	Lines int `json:"lines"`
	Extra int `json:"extra,omitempty"`
	// Made is true if the carts contain configurations of a made-to-measure product.
	Made bool `json:"made,omitempty"`
	// Hot is true if all visitors use one cart.
	Hot bool `json:"hot,omitempty"`
	// Once is true if every write has an idempotency key. Repeats percent of the writes are sent a
	// second time with the same key.
	Once    bool `json:"once,omitempty"`
	Repeats int  `json:"repeats,omitempty"`
}

// Share is an operation and its weight.
type Share struct {
	Op     string `json:"op"`
	Weight int    `json:"weight"`
}

// LoadScenario reads a scenario from a file, or returns one of Scenarios by its name.
func LoadScenario(name string) (Scenario, error) {
	for _, s := range Scenarios {
		if s.Name == name {
			return s, nil
		}
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return Scenario{}, fmt.Errorf("scenario: %w (cartbench scenarios lists those that come with it)", err)
	}
	read := json.NewDecoder(bytes.NewReader(text))
	read.DisallowUnknownFields()
	var s Scenario
	if err := read.Decode(&s); err != nil {
		return Scenario{}, fmt.Errorf("scenario %s: %w", name, err)
	}
	return s, s.check()
}

// check refuses scenarios whose answers cannot be judged.
func (s *Scenario) check() error {
	if s.Crawlers < 0 || s.Crawlers > 0 && len(s.Journey) == 0 {
		return errors.New("scenario: crawlers go beside a journey")
	}
	if len(s.Journey) > 0 {
		return s.checkJourney()
	}
	if len(s.Mix) == 0 || s.Lines < 0 || s.Extra < 0 || s.Repeats < 0 || s.Repeats > 100 {
		return errors.New("scenario: mix is needed; lines and extra of at least 0, repeats of 0 to 100")
	}
	writes := map[op]bool{}
	for _, share := range s.Mix {
		o, known := opNamed(share.Op)
		if !known || share.Weight < 1 {
			return fmt.Errorf("scenario: %q with weight %d: an operation and a weight of at least 1 are needed", share.Op, share.Weight)
		}
		if o == opCode || o == opCheckout || o == opPrepare || o.sale() {
			return fmt.Errorf("scenario: %s is no part of a mix", o)
		}
		if o.write() {
			writes[o] = true
		}
		if s.Hot && o != opRead && o != opAdd && o != opChange {
			return fmt.Errorf("scenario: %s on a hot cart cannot be checked; read, add and change can", o)
		}
	}
	if s.Hot && (len(writes) > 1 || s.Extra > 0 || s.Lines == 0 || s.Once) {
		return errors.New("scenario: a hot cart takes one kind of write, at least one line, no extra ones and no idempotency keys")
	}
	return nil
}

// total is the sum of the weights.
func (s *Scenario) total() (sum int) {
	for _, share := range s.Mix {
		sum += share.Weight
	}
	return sum
}

// ops are the operations of a run, including its preparation.
func (s *Scenario) ops() []op {
	var found []op
	for _, share := range s.Mix {
		o, _ := opNamed(share.Op)
		found = append(found, o)
		switch {
		case o.address():
			found = append(found, opAddressList, opAddressAdd, opAddressRemove)
		case o == opRemove:
			found = append(found, s.add())
		case o == opClaim:
			found = append(found, opReadClaimed)
		}
	}
	for _, name := range s.Journey {
		o, _ := opNamed(name)
		found = append(found, o, opRead)
	}
	for _, share := range s.After {
		o, _ := opNamed(share.Op)
		found = append(found, o, opOrder)
	}
	if s.Crawlers > 0 {
		found = append(found, opProductList, opProduct)
	}
	if s.carts() {
		found = append(found, opCreate, opRead)
		if s.Lines > 0 {
			found = append(found, s.add())
		}
	}
	return found
}

// add is the operation that fills carts.
func (s *Scenario) add() op {
	if s.Made {
		return opConfigure
	}
	return opAdd
}

// sells reports whether its orders are paid, cancelled or left: it needs the stores of SaleDocument.
func (s *Scenario) sells() bool { return len(s.After) > 0 }

func (s *Scenario) carts() bool { return s.any(op.cart) }

// claims reports whether visitors are customers with carts.
func (s *Scenario) claims() bool { return s.any(func(o op) bool { return o == opClaim }) }

func (s *Scenario) contacts() bool { return s.any(op.address) }

func (s *Scenario) any(is func(op) bool) bool {
	for _, share := range s.Mix {
		if o, _ := opNamed(share.Op); is(o) {
			return true
		}
	}
	return false
}
