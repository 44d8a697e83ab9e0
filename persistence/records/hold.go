package records

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/persistence/redisdb"
)

// hold is a cart's hold. Of the planned items the script appends to the record how much it granted:
// hold returns their indexes in a record that is read.
func (c *coder) hold(h *commerce.Hold, planned []commerce.ItemChange) (granted []int) {
	c.time(&h.Until)
	if !c.writing {
		h.Asks = []commerce.StockAsk{}
	}
	at := 0
	entries(c, &h.Asks, func(a *commerce.StockAsk) {
		c.uuid(&a.Item)
		quantity := uint64(a.Quantity)<<1 | uint64(flag(isPlanned(a.Item, planned)))
		if c.uvarint(&quantity); !c.writing {
			a.Quantity = commerce.Micros(quantity >> 1)
			a.Granted = a.Quantity
			if quantity&1 == 1 {
				granted = append(granted, at)
			}
		}
		at++
	})
	return granted
}

func isPlanned(item uuid.UUID, planned []commerce.ItemChange) bool {
	_, found := slices.BinarySearchFunc(planned, item, func(p commerce.ItemChange, id uuid.UUID) int { return bytes.Compare(p.Item[:], id[:]) })
	return found
}

// grant sets the granted quantities of the planned items from the last lines of made, one line
// for each item. Earlier lines are of items that are not held any more. It returns false if
// made cannot be read.
func grant(h *commerce.Hold, planned []int, made string) bool {
	lines := strings.Split(made, "\n")
	if len(lines) < len(planned) {
		return false
	}
	lines = lines[len(lines)-len(planned):]
	for at, i := range planned {
		n, err := strconv.ParseInt(lines[at], 10, 64)
		if err != nil || n < 0 || commerce.Micros(n) > h.Asks[i].Quantity {
			return false
		}
		h.Asks[i].Granted = commerce.Micros(n)
	}
	return true
}

// WithGrants returns a visit's state with the quantities that the script granted.
func WithGrants(c *commerce.Cart, items []commerce.ItemChange, made string) (*commerce.Cart, error) {
	next := c.Granting()
	var planned []int
	for i := range next.Hold.Asks {
		if isPlanned(next.Hold.Asks[i].Item, items) {
			planned = append(planned, i)
		}
	}
	if !grant(&next.Hold, planned, made) {
		return nil, redisdb.ErrCorrupt
	}
	return next, nil
}
