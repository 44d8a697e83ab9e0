package persistence

import (
	"cmp"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/answers"
	"cartd/persistence/accounts"
	"cartd/persistence/outbox"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
	"cartd/persistence/stock"
	"cartd/persistence/stores"
)

// checkedToken is a customer token among a plan's checks. checkedEntry is the entry of an
// Idempotency-Key.
type checkedToken struct {
	hash commerce.KeyHash
	text engine.TokenText
	// value and head are the indexes of its checks; head is -1 if the contact's head is not
	// checked.
	value, head int
}

type checkedEntry struct {
	name [16]byte
	at   int
}

// checkedCustomer is the contact of a quote's account among a plan's checks.
type checkedCustomer struct {
	record *engine.Record[*commerce.Contact]
	at     int
}

// checkedFacts are all facts among a plan's checks.
type checkedFacts struct {
	tokens    []checkedToken
	entries   []checkedEntry
	customers []checkedCustomer
}

// encodeVisit encodes a visit with all its effects.
func (k *Kind[S]) encodeVisit(d *DB, v *engine.Visit[S], ready *stores.SetsReady) *sending {
	w, _ := k.encodeBeside(d, v, ready, nil)
	return w
}

// encodeBeside is encodeVisit with what beside (nil for none) adds: checks, if the visit has no ask, and writes. Errors: of beside.
func (k *Kind[S]) encodeBeside(d *DB, v *engine.Visit[S], ready *stores.SetsReady, beside func(engine.RecordKey, *records.Plan) error) (
	*sending, error) {
	var change *commerce.HoldChange
	if k.hold != nil && v.Writes {
		change = k.hold(v)
	}
	var planned []commerce.ItemChange
	if change != nil {
		planned = change.Items
	}
	w := &sending{
		db: d, Visit: records.NewVisit(k.Codec, v, planned), planned: planned,
		version: v.Version, judged: v.Judged, tolerance: v.Tolerance, maySend: v.MaySend, alone: v.Resent || v.Tolerance > engine.Drift,
	}
	if ready != nil {
		w.sets = &checkedSets{ready: ready}
	}
	w.store = storeOf(v.Requests)
	for _, r := range v.Requests {
		if !r.Counted {
			w.Count++
		}
		w.Beyond = r.Beyond() // that of all its requests
		k.check(w, v.Key, r)
	}
	for i := range v.Effects {
		if f := v.Effects[i].Fold; f != nil {
			w.checkFold(v.Key.Store, f)
		}
	}
	checked := w.Plan.Bytes()
	switch sale, back := exchanged(v.Effects); {
	case sale != nil:
		w.take(v.Version, sale, change)
		w.sell(sale, v.Next.Stamp)
	case back != nil:
		w.giveBack(v.Version, back)
	case change != nil && change.Whole:
		w.holdWhole(w.store, change)
	default:
		w.hold(v.Key.Store, change)
	}
	if beside != nil {
		if err := beside(v.Key, &w.Plan); err != nil {
			return nil, err
		}
	}
	if k.index != nil && v.Writes {
		k.index(w, v)
	}
	for i := range v.Effects {
		k.effect(w, v, &v.Effects[i])
	}
	if v.Writes {
		v.Next.Size = len(w.Record)
		w.growth += v.Next.Size - v.SeenSize + w.Plan.Bytes() - checked
	}
	return w, nil
}

// exchanged returns what is sold and what comes back among effects; nil if there is none. A sale has a visit
// of its own, and a visit ends with what comes back.
func exchanged(effects []engine.Effects) (sale *commerce.Sale, back *commerce.Return) {
	for i := range effects {
		sale, back = cmp.Or(sale, effects[i].Sale), cmp.Or(back, effects[i].Return)
	}
	return sale, back
}

// check adds the checks of the facts that a request was judged by.
func (k *Kind[S]) check(w *sending, key engine.RecordKey, r *engine.Request) {
	if r.Token != nil && w.token(*r.Token, r.TokenText) == nil {
		t := checkedToken{hash: *r.Token, text: r.TokenText, value: w.Plan.Checks(), head: -1}
		w.Plan.CheckValue(accounts.TokenKey(key.Store, t.hash), t.text.Value)
		if known, ok := accounts.ParseToken(t.text.Value); ok && !k.ownHead {
			t.head = w.Plan.Checks()
			from, want := records.HeadFrom, t.text.Contact
			if r.Contact.Record != nil { // the check of the head includes its stamp
				from, want = records.StampFrom, string(records.AppendStamp(nil, r.Contact.Record.Stamp))+want
			}
			w.Plan.CheckBytes(records.Contacts.Key(engine.RecordKey{Store: key.Store, ID: known.Customer}), from, records.HeadFrom+records.ContactHeadSize-1, want)
		}
		w.facts.tokens = append(w.facts.tokens, t)
	}
	if r.Customer != nil && !r.Customer.Stamp.Zero() {
		w.facts.customers = append(w.facts.customers, checkedCustomer{r.Customer, w.Plan.Checks()})
		w.Plan.CheckBytes(records.Contacts.Key(engine.RecordKey{Store: key.Store, ID: r.Customer.State.ID}), records.StampFrom, records.HeadFrom-1,
			string(records.AppendStamp(nil, r.Customer.Stamp)))
	}
	if r.Idempotency != nil && w.entry(r.Idempotency.Name) < 0 {
		once := k.Idempotency(key, r.Idempotency.Name)
		if r.Entry == nil {
			w.Plan.CheckAbsent(once)
		} else {
			w.Plan.CheckValue(once, r.Entry.Text)
		}
		w.facts.entries = append(w.facts.entries, checkedEntry{r.Idempotency.Name, w.Plan.Checks() - 1})
	}
}

func (w *sending) token(hash commerce.KeyHash, text engine.TokenText) *checkedToken {
	for i := range w.facts.tokens {
		if t := &w.facts.tokens[i]; t.hash == hash && t.text == text {
			return t
		}
	}
	return nil
}

// entry returns the index of the check of an entry; -1 if there is none.
func (w *sending) entry(name [16]byte) int {
	for i := range w.facts.entries {
		if w.facts.entries[i].name == name {
			return w.facts.entries[i].at
		}
	}
	return -1
}

// effect adds the writes of a change's effects.
func (k *Kind[S]) effect(w *sending, v *engine.Visit[S], e *engine.Effects) {
	if e.Idempotency != nil {
		w.Plan.Write("SET", k.Idempotency(v.Key, e.Idempotency.Name), records.MakeEntry(e, v.Next.Stamp), "PX", records.IdempotencyTTL)
	}
	if g := e.Guest; g != nil {
		row := records.Contacts.Key(engine.RecordKey{Store: v.Key.Store, ID: g.ID})
		w.Plan.Write("SETNX", row, records.GuestRecord(g, v.Next.Stamp))
		w.Plan.Write("PEXPIRE", row, records.GuestKept)
	}
	if m := e.Session; m != nil {
		w.Plan.Write("SET", accounts.TokenKey(v.Key.Store, m.From.Token), accounts.SessionText(v.Key.ID, &m.To), "KEEPTTL")
	}
	if e.Deleted != nil {
		records.ArchiveAddresses(&w.Plan, v.Key, *e.Deleted)
	}
	w.announce(v.Key.Store, e.Event)
	if e.Fold != nil {
		folded := w.Plan.Bytes()
		w.writeFold(v.Key.Store, e.Fold) // these records are there already
		w.growth -= w.Plan.Bytes() - folded
	}
	if e.News != nil {
		w.announce(v.Key.Store, answers.QuoteChanged(e.News), w.Plan.Made())
	}
	if e.Return != nil {
		for i := range e.Return.Items {
			w.announce(v.Key.Store, answers.StockAdjusted(e.Return.StockNews(i)), onHandOf(i))
		}
	}
	if e.OrderNews != nil {
		w.announce(v.Key.Store, answers.OrderChanged(e.OrderNews))
	}
	if e.ContactNews != nil {
		w.announce(v.Key.Store, answers.ContactChanged(commerce.EventContactApproved, e.ContactNews.Store, e.ContactNews.Contact, e.ContactNews.At), 0)
	}
	w.act(v.Key.Store, e.Act, v.Judged)
}

// act writes a change of the merchant's into the store's history; nil for none.
func (w *sending) act(store uuid.UUID, a *engine.Act, at time.Time) {
	if a != nil {
		stores.WriteAct(&w.Plan, store, stores.Act{Name: a.Name, On: a.On, Key: a.Key}, at)
	}
}

// announce writes an event (nil for none) into the outbox, with the numbers that the visit makes
// for it.
func (w *sending) announce(store uuid.UUID, e *commerce.Event, made ...int) {
	if e == nil {
		return
	}
	before := w.Plan.Bytes()
	outbox.Write(&w.Plan, store, e, made...)
	w.events = true
	if w.store != nil { // it grows once for each webhook, into whose queue the event is copied
		w.growth += (w.store.Receivers(e.Name) - 1) * (w.Plan.Bytes() - before)
	}
}

// hold adds a change of the cart's hold (nil for none). Items that are held no more come first,
// those of folded carts too, because the cart asks for them anew.
func (w *sending) hold(store uuid.UUID, change *commerce.HoldChange) {
	if change != nil && len(change.Items) > 0 {
		w.Plan.Expiries(stock.HoldsKey(store))
	}
	if w.fold != nil {
		w.releaseFolded(store)
	}
	if change == nil {
		return
	}
	keys := stock.KeysOf(store, change.Cart)
	for _, gone := range []bool{true, false} { // grant expects the held items last
		for _, item := range change.Items {
			if gone == (item.Asked == 0) {
				w.Plan.Hold(keys, item.Item.String(), int64(item.Asked), w.limit(item.Item))
			}
		}
	}
	if change.Until.IsZero() {
		w.Plan.Sorted("ZREM", stock.HoldsKey(store), change.Cart.String())
	} else {
		w.Plan.Sorted("ZADD", stock.HoldsKey(store), records.Millis(change.Until), change.Cart.String())
	}
}

// limit is how far the judged store lets an item's stock on hand fall below zero.
func (w *sending) limit(item uuid.UUID) int64 {
	if w.store == nil {
		return 0
	}
	return int64(w.store.Backorder(item).Limit)
}

// facts returns the facts of a request as a visit found them: the values of its checks, and the
// record. Errors: redisdb.BrokenKey.
func (k *Kind[S]) facts(w *sending, key engine.RecordKey, r *engine.Request, values []any, record string, now time.Time) (engine.VisitedFacts, error) {
	found := engine.VisitedFacts{Visitor: r.Visitor, TokenText: r.TokenText, Entry: r.Entry}
	value := func(i int) string {
		text, _ := values[i].(string)
		return text
	}
	if r.Token != nil {
		t := w.token(*r.Token, r.TokenText)
		found.TokenText = engine.TokenText{Value: value(t.value)}
		session, ok := accounts.ParseToken(found.TokenText.Value)
		if !ok && found.TokenText.Value != "" {
			return found, redisdb.BrokenKey(accounts.TokenKey(key.Store, t.hash))
		}
		judged, _ := accounts.ParseToken(t.text.Value)
		var err error
		switch {
		case ok && session.Customer != judged.Customer: // the visit did not check that contact
			found.Unknown = true
			return found, nil
		case k.ownHead:
			found.TokenText.Contact, err = records.HeadText(record)
		case t.head >= 0:
			contact := value(t.head)
			found.TokenText.Contact, err = records.HeadText(contact)
			switch {
			case err != nil || r.Contact.Record == nil:
			case contact == "": // the contact that the request was judged by is gone
				found.Unknown = true
				return found, nil
			default:
				found.Contact, err = contactOf(key.Store, found.TokenText, contact)
			}
		}
		if err != nil {
			return found, accounts.BrokenContact(key.Store, t.text)
		}
		found.Visitor = accounts.ResolveToken(*r.Token, found.TokenText, now)
	}
	for _, c := range w.facts.customers { // another contact is read again
		if text := value(c.at); c.record == r.Customer && (len(text) < records.HeadFrom ||
			text[records.StampFrom:records.HeadFrom] != string(records.AppendStamp(nil, c.record.Stamp))) {
			found.Unknown = true
			return found, nil
		}
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

// contactOf decodes a token's contact from its record. Errors: redisdb.ErrCorrupt.
func contactOf(store uuid.UUID, text engine.TokenText, record string) (*engine.Record[*commerce.Contact], error) {
	t, _ := accounts.ParseToken(text.Value)
	contact, err := records.Contacts.Decode(engine.RecordKey{Store: store, ID: t.Customer}, record)
	return &contact, err
}
