package persistence

import "cartd/commerce"

// flushCounts has the requests of commits counted by a limiter that has a Redis of its
// own. Those within the limit go on to the main Redis; the others need an admission,
// for only the main Redis knows whether the limit is another one by now.
func (d *DB) flushCounts(batch []commit) {
	asked, err := d.count(batch)
	for i := range batch {
		c, at := batch[i], asked[i]
		if err != nil || at.budget.result() != nil {
			c.tell(result{kind: commerce.Refused})
			continue
		}
		within := min(max(0, at.budget.reply.Granted-at.index), c.uncounted)
		if within > 0 {
			c.counted = budget(at.decide(0))
		}
		if within < c.uncounted {
			c.tell(result{kind: commerce.Exceeded, within: within})
			continue
		}
		c.uncounted = 0
		d.sendCommit(c)
	}
	d.commits.start()
}

// count takes the limiter's round trip, and once more where it has forgotten its script.
func (d *DB) count(batch []commit) (asked []place, err error) {
	asked = make([]place, len(batch))
	for again := range 2 {
		var calls budgets
		for i := range batch {
			asked[i] = calls.ask(batch[i].presumed.Log, batch[i].presumed.Limit, batch[i].uncounted)
		}
		pipe := d.limiter.client.Pipeline()
		for _, q := range calls {
			q.count(pipe, "")
		}
		if err = d.limiter.exec(pipe); err != nil || again > 0 || !calls.forgotten() {
			break
		}
		d.reloadScripts()
	}
	return asked, err
}
