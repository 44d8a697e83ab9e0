package ratelimit

// A log's key says its format, too: logs of another one stand under another key and
// leave with their expiry, so nodes of two versions never read each other's entries.

// StoreKey is the log (LIST) of a store's requests, over all its keys and nodes.
func StoreKey(storeID string) string { return "{" + storeID + "}:grants" }

// ClientKey is the log (LIST) of the requests of a client whose key resolves to no store.
func ClientKey(client string) string { return "grants:client:" + client }
