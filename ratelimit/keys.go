package ratelimit

// StoreKey is the log (LIST) of a store's requests, over all its keys and nodes.
func StoreKey(storeID string) string { return "{" + storeID + "}:rate" }

// ClientKey is the log (LIST) of the requests of a client whose key resolves to no store.
func ClientKey(client string) string { return "rate:client:" + client }
