// Package webhooks delivers events to the receivers that store documents name. These are the only
// HTTP requests that leave the process. The package signs them by the Standard Webhooks scheme,
// retries for a day, follows no redirect, and refuses to connect to private addresses.
//
// It refuses to know where events are stored, which node has a lease (Outbox does both) and the
// meaning of an event. Of an answer it uses only the status.
//
// Each rule prevents a fault:
//
//   - A receiver gets one delivery at a time, under a lease: two nodes never send the same event
//     at once, and events arrive in order while none fails.
//   - The lease outlasts the attempt: another node replaces a node that was killed, but not a
//     node that is only slow.
//   - An attempt's connection ends with its time-out, and the log contains none of a receiver's
//     bytes: no receiver can keep a slot, delay a stop or fill the log.
//   - Receivers that failed or were slow get at most half of the slots: they cannot delay the
//     other receivers.
//   - A turn ends after a while, or when the receiver's back-off begins: no receiver keeps a slot,
//     and a receiver that is down gets few requests.
//
// Open first: deliverer.go (the loop, and one receiver's turn), slots.go, delivery_attempt.go (one request, and the
// addresses that are refused).
package webhooks
