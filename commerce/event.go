package commerce

// Event is one message of the store's outbox, on its way to the webhooks.
type Event struct {
	Name string
	// Body is the event as JSON.
	Body []byte
}

// EventPasswordReset carries a reset's token to whoever mails it.
const EventPasswordReset = "contact.password_reset_requested"

// EventStockAdjusted tells of a change of stock on hand. Spec: Events.
const EventStockAdjusted = "stock.adjusted"

// Wants reports whether a webhook of the store takes an event.
func (s *Store) Wants(event string) bool {
	for i := range s.Webhooks {
		for _, name := range s.Webhooks[i].Events {
			if name == event {
				return true
			}
		}
	}
	return false
}
