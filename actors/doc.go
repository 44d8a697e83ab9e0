// Package actors owns what a node holds in memory: one actor a record, on
// protoactor-go, that judges commands one after another, sends them as one visit and answers each
// once that is done.
//
// It knows neither HTTP nor Redis: the store it commits to is the interface in
// store.go, and its callers see plain methods; no PID leaves the package.
//
// Open first: carts.go, contacts.go and quotes.go (what callers use), record_actor.go (the actor), visit_batch.go
// and outcome.go (its visits, and what becomes of them), directory.go (who is resident),
// packed_cache.go (who is idle), budget.go and eviction.go (which records leave when there are too
// many bytes), size.go (how many bytes a record takes).
//
// # Back-pressure and stopping, and the failure that each rule prevents
//
//   - A record takes at most Config.Mailbox commands at a time; the next one is
//     ErrUnavailable at once. Without it one hot cart would eat the memory.
//   - The records of a node take about Config.Resident bytes at most. Beyond that the least
//     recently used ones without pending requests leave. Without it many large carts would
//     eat the memory.
//   - Sending happens inside the directory's lock, and an actor is stopped only
//     inside it, with nothing pending: protoactor drops what is queued behind a
//     Stop without a word, and a SpawnNamed racing a Send can panic.
//   - An actor runs on the goroutine that sent it something, outside every lock
//     (mailbox_loop.go, mailbox.go), and the store calls back under no lock of its own: an actor that ran
//     inside one could wait for itself.
//   - A caller is woken over a channel of its own, with room for its answer and its
//     deadline (waiter.go): an actor never waits for a caller that went away, and
//     futures have data races. What was given up is not used again.
//   - A request is taken exactly once, by its commit or by its deadline (one atomic
//     flag): a 503 is never followed by its effect.
//   - Receive recovers: a panic answers every waiting request (500, or 504 where a
//     commit was sent) and forgets the state in memory, so that the next request
//     loads it. Left to protoactor, the state and the answers would be lost.
package actors
