package persistence

import (
	"encoding/binary"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
)

// Stock is kept in three hashes and a sorted set. What a cart holds, and its place
// among the sums and the lapses, are only ever written together.

// onHandKey is the stock on hand: {<store>}:onhand, item → millionths.
func onHandKey(store uuid.UUID) string { return singleKey(store, "onhand") }

// heldKey is what carts hold, added up: {<store>}:held, item → millionths.
func heldKey(store uuid.UUID) string { return singleKey(store, "held") }

// cartHoldKey is what one cart holds: {<store>}:hold:<cart id>, item → millionths.
func cartHoldKey(store, cart uuid.UUID) string { return cartHoldPrefix(store) + cart.String() }

func cartHoldPrefix(store uuid.UUID) string { return keyPrefix(store, "hold") }

// lapsesKey is when carts' holds lapse: {<store>}:holds, cart id → Unix milliseconds.
func lapsesKey(store uuid.UUID) string { return singleKey(store, "holds") }

// holding is the part of a wire that changes what a cart holds.
type holding struct {
	store        uuid.UUID
	before, next *commerce.Cart
	// keys and args stand behind the wire's own, as hold.lua takes them.
	keys []string
	args []any
	// tries counts the sendings that holds in the way have kept from being granted.
	tries int
}

// maxClearings is how often a commit waits for lapsed holds to be worked off; then it
// takes what is left.
const maxClearings = 5

// holdStock adds to a cart's commit what it changes of the stock.
func holdStock(w *wire, store uuid.UUID, before, next *commerce.Cart) {
	if change := commerce.ChangeHold(before, next, false); change != nil {
		w.hold = &holding{store: store, before: before, next: next}
		w.hold.set(change, "")
	}
}

// set makes keys and args of a change.
func (h *holding) set(c *commerce.HoldChange, cleared string) {
	h.keys = []string{onHandKey(h.store), heldKey(h.store), cartHoldKey(h.store, c.Cart), lapsesKey(h.store)}
	known := millis(c.Known)
	if c.Lapsed {
		known = "?"
	}
	h.args = []any{c.Cart.String(), millis(c.Until), known, cleared}
	for _, item := range c.Items {
		h.args = append(h.args, item.Item.String(), int64(item.Asked), int64(item.Had))
	}
}

// millis is a time as scripts take it; empty for none.
func millis(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return strconv.FormatInt(t.UnixMilli(), 10)
}

// clearWay works lapsed holds off and sends a commit again that they were in the way
// of. Of that sending nothing was done.
func (d *DB) clearWay(c *commit) {
	h := c.wire.hold
	cleared, err := d.workOff(h.store)
	if err != nil {
		c.done(result{kind: engine.Refused})
		return
	}
	if h.tries++; h.tries > maxClearings {
		cleared = "0"
	}
	h.set(commerce.ChangeHold(h.before, h.next, true), cleared)
	d.sendCommit(c)
	d.Flush(time.Time{})
}

func appendHold(dst []byte, h *commerce.Hold) []byte {
	dst = appendTime(dst, h.Until)
	dst = binary.AppendUvarint(dst, uint64(len(h.Asks)))
	for i := range h.Asks {
		dst = append(dst, h.Asks[i].Item[:]...)
		dst = binary.AppendUvarint(dst, uint64(h.Asks[i].Quantity))
	}
	return dst
}

func readHold(r *reader, h *commerce.Hold) {
	h.Until = r.time()
	h.Asks = make([]commerce.StockAsk, r.count())
	for i := range h.Asks {
		a := &h.Asks[i]
		a.Item, a.Quantity = r.uuid(), commerce.Micros(r.uvarint())
		a.Granted = a.Quantity
	}
}

// lengthDigits is how long the length is that ends what the script wrote.
const lengthDigits = 8

// readGrants takes over what the commit script wrote behind a record: the items that
// were granted less than was asked for. Only a later format has fields before it.
// False: it is nothing of the kind.
func readGrants(text string, later bool, h *commerce.Hold) bool {
	at := len(text) - lengthDigits
	if at < 0 {
		return false
	}
	size, err := strconv.ParseUint(text[at:], 10, 31)
	before := at - int(size)
	if err != nil || before < 0 || before > 0 && !later {
		return false
	}
	for text = text[before:at]; text != ""; {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		id, granted, _ := strings.Cut(line, " ")
		item, ok := commerce.ParseID(id)
		n, err := strconv.ParseInt(granted, 10, 64)
		if !ok || err != nil || !h.Grant(item, commerce.Micros(n)) {
			return false
		}
	}
	return true
}

// withGrants is the state of a commit as the script has completed it.
func withGrants(c *commerce.Cart, made string) (*commerce.Cart, error) {
	next := c.Granting()
	if !readGrants(made, false, &next.Hold) {
		return nil, errCorrupt
	}
	return next, nil
}
