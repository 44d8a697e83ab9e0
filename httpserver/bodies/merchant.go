package bodies

// maxNotice is the maximum length of the message of a closed store.
const maxNotice = 255

// StoreClosing is the body of a closing of the store for orders: the message for its visitors, empty for the usual one.
var StoreClosing = Object("StoreClosing",
	Optional("message", TextOrNull(maxNotice), "What visitors read; null: the usual text.", func(message *string) *string { return message }))
