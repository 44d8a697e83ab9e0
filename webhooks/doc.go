// Package webhooks delivers events to the receivers that store documents name: the
// only HTTP that leaves the process. It signs by the Standard Webhooks scheme, tries
// again for a day, follows no redirect, and refuses to connect to private addresses.
//
// It does not know where events wait or which node has which: Outbox does. It judges
// no event and reads no answer but its status.
//
// Each rule prevents something:
//
//   - one delivery of a receiver at a time, under a lease: two nodes never send the
//     same event at once, and events arrive in order while nothing fails;
//   - the lease outlasts the attempt: a node that was killed is replaced, one that is
//     only slow is not;
//   - an attempt's connection ends with its time-out, and none of a receiver's bytes are
//     logged: no receiver keeps a slot, holds up a stop or fills the log;
//   - half of the slots are kept from receivers that failed or were slow: those that
//     are down cannot hold up those that are not;
//   - a turn ends after a while, or where the outbox has the receiver rest: none keeps
//     a slot, and none that is down is hammered.
//
// Open first: deliverer.go (who is served when), turn.go (one receiver's turn),
// attempt.go (one request), conn.go (what a receiver may send), target.go (where none may go).
package webhooks
