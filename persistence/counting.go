package persistence

import (
	"cartd/engine"
)

// flushCounts has the requests of commits counted by a limiter that has a Redis of its
// own. Those within the limit go on to the main Redis; the others need an admission,
// for only the main Redis knows whether the limit is another one by now.
func (d *DB) flushCounts(batch []commit) {
	var asked []place
	err := engine.ErrUnavailable
	if d.reachable() {
		asked, err = d.count(batch)
	}
	for i := range batch {
		c := batch[i]
		if err != nil || asked[i].budget.err != nil {
			c.tell(result{kind: engine.Refused})
			continue
		}
		at := asked[i]
		within := min(max(0, at.budget.reply.Granted-at.index), c.uncounted)
		if within > 0 {
			c.counted = budget(at.decide())
		}
		if within < c.uncounted {
			c.tell(result{kind: engine.Exceeded, within: within})
			continue
		}
		c.uncounted = 0
		d.sendCommit(c)
	}
	d.commits.start()
}

// count takes the limiter's round trip, and once more where it has forgotten its script.
func (d *DB) count(batch []commit) (asked []place, err error) {
	calls, asked, err := d.countOnce(batch, nil)
	if err == nil && calls.forgotten() {
		d.reloadScripts()
		calls, asked, err = d.countOnce(batch, calls)
	}
	if err != nil {
		return nil, err
	}
	for _, q := range calls {
		if err := q.result(); err != nil && !d.told(err) {
			d.log.Error("counting commits", "error", err.Error())
		}
	}
	return asked, nil
}

// countOnce does not ask again what was answered before.
func (d *DB) countOnce(batch []commit, before budgets) (calls budgets, asked []place, err error) {
	asked = make([]place, len(batch))
	for i := range batch {
		p := batch[i].presumed
		asked[i] = calls.ask(p.Log, p.Limit, batch[i].uncounted)
	}
	pipe := d.limiter.client.Pipeline()
	for i, q := range calls {
		if before != nil {
			q.adopt(before[i])
		}
		q.count(pipe, "")
	}
	return calls, asked, d.limiter.execEach(pipe)
}
