package ratelimit

// StoreKey is the log (LIST) of a store's requests, over all its keys and nodes. A log of
// another format needs another key.
func StoreKey(storeID string) string { return "{" + storeID + "}:grants" }

// clientKey is the log (LIST) of the requests of a client whose key resolves to no store.
func clientKey(client string) string { return "grants:client:" + client }
