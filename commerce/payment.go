package commerce

// MaxPaymentMinutes is the maximum time for which an order may stay unpaid, in minutes.
// Store document, store.orders.
const MaxPaymentMinutes = 43_200
