// Package outbox owns events on their way to webhooks: the list of each store; the queue, the
// retries and the given-up deliveries of each receiver; and the index of stores with events to
// deliver.
//
// It sends no HTTP request, and does not decide when a delivery is tried again.
//
// Open first: outbox.go (the way of an event), index.go, fan_out.go, delivery.go.
package outbox
