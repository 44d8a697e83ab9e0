package persistence

import (
	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/records"
)

// found decodes the values that a visit found, or the texts that the script made.
func (k *Kind[S]) found(d *DB, v *engine.Visit[S], w *sending, r *records.Result, o *engine.Outcome[S]) (err error) {
	switch r.Kind {
	case engine.Done:
		if r.Made != "" {
			o.Current = v.Next
			o.Current.Size += len(r.Made)
			if k.granted != nil {
				o.Current.State, err = k.granted(v.Next.State, w.planned, r.Made)
			}
		}
		if w.sale != nil && w.sale.Numbered() && err == nil {
			o.Number, err = lastNumber(r.Made)
		}
		if w.sale != nil && err == nil && w.sale.Order != nil && w.sale.Order.Ahead != nil {
			var left []commerce.Micros
			left, err = leftOf(w.sale, r.Made)
			o.Ahead = w.sale.Order.WithLeft(left)
		}
		if w.moves {
			d.Stores.Entry(v.Key.Store).Moved.Store(true)
		}
		return err
	case engine.Short:
		o.Shortage = w.whole.shortage(r.Granted)
		for _, use := range o.Shortage.Used {
			d.refusedUses[use.Counter].Add(1)
		}
		return nil
	case engine.OtherRecord, engine.OtherFacts:
	default:
		return nil
	}
	if r.Kind == engine.OtherFacts && k.held != nil && k.held(w, r) {
		o.Kind = engine.Held
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
