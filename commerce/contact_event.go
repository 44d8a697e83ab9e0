package commerce

// EventContactRegistered reports a new account, EventContactApproved the approval of a business.
const (
	EventContactRegistered = "contact.registered"
	EventContactApproved   = "contact.approved"
)
