package records

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/persistence/redisdb"
)

// appendHold encodes a cart's hold. The script appends to the record how much it granted of the
// planned items.
func appendHold(dst []byte, h *commerce.Hold, planned []commerce.ItemChange) []byte {
	dst = appendTime(dst, h.Until)
	dst = binary.AppendUvarint(dst, uint64(len(h.Asks)))
	for i := range h.Asks {
		a := &h.Asks[i]
		dst = append(dst, a.Item[:]...)
		dst = binary.AppendUvarint(dst, uint64(a.Quantity)<<1|uint64(flag(isPlanned(a.Item, planned))))
	}
	return dst
}

func isPlanned(item uuid.UUID, planned []commerce.ItemChange) bool {
	_, found := slices.BinarySearchFunc(planned, item, func(p commerce.ItemChange, id uuid.UUID) int { return bytes.Compare(p.Item[:], id[:]) })
	return found
}

// readHold decodes appendHold's bytes, and returns the indexes of the planned items.
func readHold(r *reader, h *commerce.Hold) (planned []int) {
	h.Until = r.time()
	h.Asks = make([]commerce.StockAsk, r.count())
	for i := range h.Asks {
		a := &h.Asks[i]
		a.Item = r.uuid()
		quantity := r.uvarint()
		a.Quantity = commerce.Micros(quantity >> 1)
		a.Granted = a.Quantity
		if quantity&1 == 1 {
			planned = append(planned, i)
		}
	}
	return planned
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
