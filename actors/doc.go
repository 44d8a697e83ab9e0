// Package actors owns the records in a node's memory. Each record has one actor, on protoactor-go.
// The actor judges commands one after another, sends them as one visit and answers each once the
// visit is done.
//
// It knows neither HTTP nor Redis: it commits through the interface Storage. Its callers see plain
// methods; no PID leaves the package.
//
// Open first: records.go (the methods for callers, and the node with its limits), record_actor.go (the
// actor), visit_batch.go and outcome.go (its visits and their outcomes), directory.go (the resident
// records), eviction.go (the bytes of a record, which records leave when memory is full, and how idle
// ones are packed).
//
// # Rules of back-pressure and stopping, each with the failure that it prevents
//
//   - A record accepts at most Config.Mailbox commands at a time; the next one is ErrUnavailable at
//     once. Otherwise one hot cart would fill the memory.
//   - The records of a node take about Config.Resident bytes at most. Above that, the idle records
//     used longest ago leave. Otherwise many large carts would fill the memory.
//   - Sending happens inside the directory's lock. An actor is stopped only inside it, with nothing
//     pending. Otherwise protoactor silently drops messages queued after a Stop, and a SpawnNamed
//     racing a Send can panic.
//   - An actor runs on the goroutine that sent to it, outside every lock (mailbox.go). The storage
//     calls back under no lock of its own. An actor that ran inside a lock could wait for itself.
//   - Each caller is woken over its own channel, which has room for the answer and the deadline
//     (internal/waiter). So an actor never waits for a caller that has left. protoactor's futures have
//     data races. A waiter is not used again after its caller gave up.
//   - Either its commit or its deadline ends a request, exactly once (one atomic flag). So no
//     effect follows a 503.
//   - Receive recovers. A panic answers every waiting request (500, or 504 after a commit was sent)
//     and drops the state in memory, so that the next request loads it. protoactor alone would lose
//     the state and the answers.
package actors
