// Package outbox owns events on their way to webhooks: the list of each store, the queue, the
// retries and the deliveries given up of each receiver, and the index of stores with work to do.
//
// It sends no HTTP request, and does not decide when a delivery is tried again.
//
// Open first: outbox.go (the way of an event), index.go, fan_out.go, delivery.go.
package outbox
