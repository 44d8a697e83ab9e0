package model

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
)

// Book is the model's address book. Its addresses have unique names, which identify them until an
// answer has shown their ids.
type Book struct {
	// Addresses are sorted by name: few answers show the order of the list, and a hidden order
	// would multiply the possible states. parseBook checks the visible part of the order.
	Addresses []Address
	// One: the answer showed one address only.
	One bool
}

// Address is one address of the model's book.
type Address struct {
	// ID is the zero UUID until an answer has shown it.
	ID         uuid.UUID
	Name, Type string
	Default    bool
}

// Partial reports whether the state is only a part of a book.
func (b Book) Partial() bool { return b.One }

// Same compares all fields that both states show.
func (b Book) Same(other State) bool {
	o, ok := other.(Book)
	if !ok || b.One == o.One && !b.One {
		return ok && slices.Equal(b.Addresses, o.Addresses)
	}
	if o.One {
		b, o = o, b
	}
	at := o.named(b.Addresses[0].Name)
	return at < 0 && o.One || at >= 0 && o.Addresses[at] == b.Addresses[0]
}

// Shows compares all fields that the answer shows. An id that the model does not know yet matches
// any id.
func (b Book) Shows(seen State) (State, bool) {
	s, ok := seen.(Book)
	if !ok || !s.One && !slices.Equal(names(b.Addresses), names(s.Addresses)) {
		return b, false
	}
	return b.with(func(addresses []Address) []Address {
		for _, shown := range s.Addresses {
			at := b.named(shown.Name)
			if at < 0 {
				ok = false
				break
			}
			mine := &addresses[at]
			if mine.ID == uuid.Nil {
				mine.ID = shown.ID
			}
			ok = ok && *mine == shown
		}
		return addresses
	}), ok
}

func names(addresses []Address) (all []string) {
	for _, a := range addresses {
		all = append(all, a.Name)
	}
	return all
}

// named finds an address by its name; -1 if there is none.
func (b Book) named(name string) int {
	return slices.IndexFunc(b.Addresses, func(a Address) bool { return a.Name == name })
}

// with returns a copy of the book with changed addresses.
func (b Book) with(change func([]Address) []Address) Book {
	b.Addresses = change(slices.Clone(b.Addresses))
	b.sort()
	return b
}

func (b Book) sort() {
	slices.SortFunc(b.Addresses, func(a, c Address) int { return strings.Compare(a.Name, c.Name) })
}

// alone clears the other default of an address's type. Spec: Address, rule 2.
func alone(addresses []Address, at int) []Address {
	for i := range addresses {
		if i != at && addresses[at].Default && addresses[i].Type == addresses[at].Type {
			addresses[i].Default = false
		}
	}
	return addresses
}

func (b Book) String() string {
	var parts []string
	for _, a := range b.Addresses {
		mark := ""
		if a.Default {
			mark = "*"
		}
		parts = append(parts, fmt.Sprintf("%s %s%s (%.4s)", a.Type, a.Name, mark, a.ID))
	}
	if len(parts) == 0 {
		return "an empty book"
	}
	return strings.Join(parts, ", ")
}

type bookAddress struct {
	ID        uuid.UUID `json:"id"`
	Type      string    `json:"type"`
	IsDefault bool      `json:"is_default"`
	Name      string    `json:"name"`
}

// parseBook reads an answer: a list, one address, or the empty body of a removal.
func parseBook(body []byte) (string, State, error) {
	if len(body) == 0 {
		return "", nil, nil
	}
	var envelope struct {
		Data json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(body, &envelope); err != nil {
		return "", nil, fmt.Errorf("not an envelope: %w", err)
	}
	var list []bookAddress
	one := len(envelope.Data) > 0 && envelope.Data[0] == '{'
	if one {
		envelope.Data = slices.Concat([]byte("["), envelope.Data, []byte("]"))
	}
	if err := json.Unmarshal(envelope.Data, &list); err != nil {
		return "", nil, fmt.Errorf("no addresses: %w", err)
	}
	book := Book{One: one}
	for _, a := range list {
		book.Addresses = append(book.Addresses, Address{ID: a.ID, Name: a.Name, Type: a.Type, Default: a.IsDefault})
	}
	if one {
		return list[0].ID.String(), book, nil
	}
	err := book.check()
	book.sort()
	return "", book, err
}

// check finds faults of a list: two defaults of a type, an address twice, an address that precedes
// the default. Spec: GET list.
func (b Book) check() error {
	defaults, seen := map[string]string{}, map[string]bool{}
	for i, a := range b.Addresses {
		if i > 0 && a.Default && !b.Addresses[i-1].Default {
			return fmt.Errorf("the default %s follows an address that is no default", a.Name)
		}
		if first := defaults[a.Type]; a.Default && first != "" {
			return fmt.Errorf("%s and %s are both the default of type %s", first, a.Name, a.Type)
		}
		if a.Default {
			defaults[a.Type] = a.Name
		}
		if seen[a.Name] {
			return fmt.Errorf("%s is there twice", a.Name)
		}
		seen[a.Name] = true
	}
	return nil
}
