package persistence

import (
	"cartd/engine"
	"cartd/persistence/records"
	"cartd/persistence/stores"
)

// Commit sends visits that no request asked for: those of an operator's command, and of the end of
// unpaid orders. All were judged at one time under one version of the store, and count no request. It
// carries out as many as one call of the script may have, at least one, and returns their results. beside
// (nil for none) adds further writes to a visit's plan. Each visit is a compare-and-set of its record, so
// one that is sent twice is done once. A visit that gives back a discount's last use moves the head, and
// the version then has the new one. Errors: those of a call; with the results, ErrOutdated if the store has
// other settings.
func (s RecordStorage[S]) Commit(version *engine.StoreVersion, visits []*engine.Visit[S],
	beside func(engine.RecordKey, *records.Plan) error) ([]records.Result, error) {
	call := &records.Call{Head: version.Head, Judged: visits[0].Judged, Tolerance: visits[0].Tolerance}
	var sendings []*sending
	asks, events := 0, false
	for _, v := range visits[:min(len(visits), maxVisits)] {
		w, err := s.kind.encodeBeside(s.DB, v, nil, beside)
		if err != nil {
			return nil, err
		}
		if asks += w.Plan.Asks(); asks > maxAsks && len(sendings) > 0 {
			break
		}
		sendings, call.Visits = append(sendings, w), append(call.Visits, &w.Visit)
		events = events || w.events
	}
	results, err := s.CarryOut(version.Store, s.client.Soon(), call)
	if events {
		s.outbox.Announce(version.Store)
	}
	if err != nil {
		return nil, err
	}
	for i := range results {
		sendings[i].logBeyond(&results[i])
	}
	if head := results[0].Head; head != version.Head {
		err = s.follow(version, head)
	}
	return results, err
}

// follow replaces a version's head by another one of the same settings. Errors: ErrOutdated if there are
// other settings.
func (d *DB) follow(version *engine.StoreVersion, text string) error {
	old, err := stores.ParseHead(version.Head)
	next, err2 := stores.ParseHead(text)
	if err != nil || err2 != nil || old.Stamp != next.Stamp {
		return engine.ErrOutdated
	}
	version.Head = text
	d.Stores.Entry(version.Store).Moved.Store(true)
	return nil
}
