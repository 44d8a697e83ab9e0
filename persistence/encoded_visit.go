package persistence

import (
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/accounts"
	"cartd/persistence/outbox"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
	"cartd/persistence/stock"
)

// encodedVisit is a visit as the script takes it, made once and sent as often as needed.
type encodedVisit struct {
	records.Visit
	// planned are the items whose hold the script decides on, asks how many its plan has.
	planned []commerce.ItemChange
	asks    int
	// sale is what it sells, usesFrom how many of its asks come before those for uses; nil: nothing.
	sale     *commerce.Sale
	usesFrom int
	// events: something of it goes into an outbox.
	events bool
	// tokens and entries are the facts that it compares; checks is how many checks those are.
	tokens  []checkedToken
	entries []checkedEntry
	checks  int
	// fold is a claim's, folded the place of its first check; nil if the visit is of none.
	fold   *engine.Fold
	folded int
}

// checkedToken is a customer token among a plan's checks, checkedEntry the entry of an
// Idempotency-Key.
type checkedToken struct {
	hash commerce.KeyHash
	text engine.TokenText
	// value and head are the places of its checks; -1: the contact's head is not compared.
	value, head int
}

type checkedEntry struct {
	name [16]byte
	at   int
}

// encodeVisit is a visit with everything that stands beside its record.
func (k *visitCodec[S]) encodeVisit(d *DB, v *engine.Visit[S]) *encodedVisit {
	var change *commerce.HoldChange
	if k.hold != nil && v.Writes {
		change = k.hold(v)
	}
	var planned []commerce.ItemChange
	if change != nil {
		planned = change.Items
	}
	w := &encodedVisit{Visit: records.NewVisit(k.Codec, v, planned), planned: planned}
	for _, r := range v.Requests {
		if !r.Counted {
			w.Count++
		}
		k.check(w, v.Key, r)
	}
	for i := range v.Effects {
		if f := v.Effects[i].Fold; f != nil {
			w.checkFold(v.Key.Store, f)
		}
	}
	if sale := saleOf(v.Effects); sale != nil {
		w.take(v.Version, sale, change)
		w.sell(&d.config, sale, v.Next.Stamp)
	} else {
		w.hold(v.Key.Store, change)
	}
	if k.index != nil && v.Writes {
		k.index(w, v)
	}
	for i := range v.Effects {
		k.effect(&d.config, w, v, &v.Effects[i])
	}
	return w
}

// check has the visit compare what a request was judged by.
func (k *visitCodec[S]) check(w *encodedVisit, key engine.RecordKey, r *engine.Request) {
	if r.Token != nil && w.token(*r.Token, r.TokenText) == nil {
		t := checkedToken{hash: *r.Token, text: r.TokenText, value: w.checks, head: -1}
		w.Plan.CheckValue(accounts.TokenKey(key.Store, t.hash), t.text.Value)
		w.checks++
		if known, ok := accounts.ParseToken(t.text.Value); ok && !k.ownHead {
			t.head = w.checks
			from, want := records.HeadFrom, t.text.Contact
			if r.Contact.Record != nil { // its stamp is compared along with its head
				from, want = records.StampFrom, string(records.AppendStamp(nil, r.Contact.Record.Stamp))+want
			}
			w.Plan.CheckBytes(records.Contacts.Key(engine.RecordKey{Store: key.Store, ID: known.Customer}), from, records.HeadFrom+records.ContactHeadSize-1, want)
			w.checks++
		}
		w.tokens = append(w.tokens, t)
	}
	if r.Idempotency != nil && w.entry(r.Idempotency.Name) < 0 {
		once := k.Idempotency(key, r.Idempotency.Name)
		if r.Entry == nil {
			w.Plan.CheckAbsent(once)
		} else {
			w.Plan.CheckValue(once, r.Entry.Text)
		}
		w.entries = append(w.entries, checkedEntry{r.Idempotency.Name, w.checks})
		w.checks++
	}
}

func (w *encodedVisit) token(hash commerce.KeyHash, text engine.TokenText) *checkedToken {
	for i := range w.tokens {
		if t := &w.tokens[i]; t.hash == hash && t.text == text {
			return t
		}
	}
	return nil
}

// entry is the place of the check of an entry; -1: there is none.
func (w *encodedVisit) entry(name [16]byte) int {
	for i := range w.entries {
		if w.entries[i].name == name {
			return w.entries[i].at
		}
	}
	return -1
}

// effect writes what a change does beside its record.
func (k *visitCodec[S]) effect(config *Config, w *encodedVisit, v *engine.Visit[S], e *engine.Effects) {
	if e.Idempotency != nil {
		w.Plan.Write("SET", k.Idempotency(v.Key, e.Idempotency.Name), records.MakeEntry(e, v.Next.Stamp), "PX", records.IdempotencyTTL)
	}
	if g := e.Guest; g != nil {
		w.Plan.Write("SETNX", records.Contacts.Key(engine.RecordKey{Store: v.Key.Store, ID: g.ID}), records.GuestRecord(g, v.Next.Stamp))
	}
	if m := e.Session; m != nil {
		w.Plan.Write("SET", accounts.TokenKey(v.Key.Store, m.From.Token), accounts.SessionText(v.Key.ID, &m.To), "KEEPTTL")
	}
	if e.Deleted != nil {
		records.ArchiveAddresses(&w.Plan, v.Key, *e.Deleted)
	}
	w.announce(v.Key.Store, e.Event, 0)
	if e.Fold != nil {
		w.writeFold(v.Key.Store, e.Fold)
	}
	if e.News != nil {
		w.announce(v.Key.Store, e.News.Message(config.QuoteJSON), w.Plan.Made())
	}
}

// announce writes an event (nil: none) into the outbox, with the number that the visit makes for it.
func (w *encodedVisit) announce(store uuid.UUID, e *commerce.Event, made int) {
	if e != nil {
		outbox.Write(&w.Plan, store, e, made)
		w.events = true
	}
}

// hold has the visit change what its cart holds (nil: nothing). What is held no more comes first,
// that of folded carts too: the cart asks for it anew.
func (w *encodedVisit) hold(store uuid.UUID, change *commerce.HoldChange) {
	if change != nil && len(change.Items) > 0 {
		w.Plan.Expiries(stock.HoldsKey(store))
	}
	w.releaseFolded(store)
	if change == nil {
		return
	}
	keys := stock.KeysOf(store, change.Cart)
	for _, gone := range []bool{true, false} { // what is held comes last (grant)
		for _, item := range change.Items {
			if gone == (item.Asked == 0) {
				w.Plan.Hold(keys, item.Item.String(), int64(item.Asked))
			}
		}
	}
	w.asks += len(change.Items)
	if change.Until.IsZero() {
		w.Plan.Sorted("ZREM", stock.HoldsKey(store), change.Cart.String())
	} else {
		w.Plan.Sorted("ZADD", stock.HoldsKey(store), records.Millis(change.Until), change.Cart.String())
	}
}

// facts are those that a request was judged by, as a visit has found them: the values of its checks,
// beside the record. Errors: redisdb.BrokenKey.
func (k *visitCodec[S]) facts(w *encodedVisit, key engine.RecordKey, r *engine.Request, values []any, record string, now time.Time) (engine.VisitedFacts, error) {
	found := engine.VisitedFacts{Visitor: r.Visitor, TokenText: r.TokenText, Entry: r.Entry}
	value := func(i int) string {
		text, _ := values[i].(string)
		return text
	}
	if r.Token != nil {
		t := w.token(*r.Token, r.TokenText)
		found.TokenText = engine.TokenText{Value: value(t.value)}
		if _, ok := accounts.ParseToken(found.TokenText.Value); !ok && found.TokenText.Value != "" {
			return found, redisdb.BrokenKey(accounts.TokenKey(key.Store, t.hash))
		}
		var err error
		switch {
		case k.ownHead:
			found.TokenText.Contact, err = records.HeadText(record)
		case t.head >= 0:
			contact := value(t.head)
			if found.TokenText.Contact, err = records.HeadText(contact); err == nil && r.Contact.Record != nil && contact != "" {
				found.Contact, err = contactOf(key.Store, found.TokenText, contact)
			}
		default:
			found.Unknown = found.TokenText.Value != "" // its contact was not compared
		}
		if err != nil {
			return found, accounts.BrokenContact(key.Store, t.text)
		}
		found.Visitor = accounts.ResolveToken(*r.Token, found.TokenText, now)
	}
	if r.Idempotency != nil {
		var err error
		if found.Entry, err = records.ParseEntry(value(w.entry(r.Idempotency.Name))); err != nil {
			return found, redisdb.BrokenKey(k.Idempotency(key, r.Idempotency.Name))
		}
	}
	if w.fold != nil && r.Carts != nil {
		var err error
		if found.Carts, err = w.foundCarts(key.Store, r.Carts, values); err != nil {
			return found, err
		}
		found.Unknown = found.Unknown || found.Carts == nil
	}
	return found, nil
}

// contactOf is the contact of a token, out of its record. Errors: redisdb.ErrCorrupt.
func contactOf(store uuid.UUID, text engine.TokenText, record string) (*engine.Record[*commerce.Contact], error) {
	t, _ := accounts.ParseToken(text.Value)
	contact, err := records.Contacts.Decode(engine.RecordKey{Store: store, ID: t.Customer}, record)
	return &contact, err
}
