package persistence

import (
	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/records"
	"cartd/persistence/stock"
)

// visitCodec encodes and decodes the visits of one kind of record.
type visitCodec[S any] struct {
	*records.Codec[S]
	// ownHead means that the record is the contact of its visitors' tokens.
	ownHead bool
	// hold returns a visit's change of the store's stock. granted adds the script's grants to
	// the state. Both are nil for records without holds.
	hold    func(v *engine.Visit[S]) *commerce.HoldChange
	granted func(next S, planned []commerce.ItemChange, made string) (S, error)
	// pack appends an idle record; nil if idle records are not packed but read again.
	pack func([]byte, *engine.Record[S]) []byte
	// index writes the index of such records; nil if there is none.
	index func(*sending, *engine.Visit[S])
}

var (
	cartVisits = &visitCodec[*commerce.Cart]{
		Codec: records.Carts, hold: stock.Change, granted: records.WithGrants, pack: packCart, index: indexCart,
	}
	contactVisits = &visitCodec[*commerce.Contact]{Codec: records.Contacts, ownHead: true}
	quoteVisits   = &visitCodec[*commerce.Quote]{Codec: records.Quotes}
	orderVisits   = &visitCodec[*commerce.Order]{Codec: records.Orders, index: indexOrder}
)

// found decodes the values that a visit found, or the texts that the script made.
func (k *visitCodec[S]) found(d *DB, v *engine.Visit[S], w *sending, r *records.Result, o *engine.Outcome[S]) (err error) {
	switch r.Kind {
	case engine.Done:
		if r.Made != "" {
			o.Current = v.Next
			o.Current.Size += len(r.Made)
			if k.granted != nil {
				o.Current.State, err = k.granted(v.Next.State, w.planned, r.Made)
			}
		}
		if w.sale != nil && err == nil {
			o.Number, err = lastNumber(r.Made)
		}
		if w.moves {
			d.Stores.Entry(v.Key.Store).Moved.Store(true)
		}
		return err
	case engine.Short:
		o.Shortage = w.shortage(r.Granted)
		for _, use := range o.Shortage.Used {
			d.refusedUses[use.Counter].Add(1)
		}
		return nil
	case engine.OtherRecord, engine.OtherFacts:
	default:
		return nil
	}
	if r.Record != "" {
		if o.Current, err = k.Decode(v.Key, r.Record); err != nil {
			return err
		}
	}
	if r.Kind == engine.OtherFacts {
		o.Facts = make([]engine.VisitedFacts, len(v.Requests))
		for i, asked := range v.Requests {
			if o.Facts[i], err = k.facts(w, v.Key, asked, r.Values, r.Record, r.Now); err != nil {
				return err
			}
			if asked.Token != nil && !o.Facts[i].Unknown {
				d.Remember(v.Key.Store, *asked.Token, o.Facts[i].TokenText)
			}
		}
	}
	return nil
}

// packCart appends a cart's record as Redis has it. A cart with a hold is not packed: the
// grants follow the record, and only the script writes them.
func packCart(dst []byte, r *engine.CartRecord) []byte {
	if r.State.Hold.Asks != nil {
		return dst
	}
	return records.Carts.Encode(dst, r, nil)
}
