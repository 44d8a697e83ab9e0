package accounts

import (
	"time"

	"github.com/google/uuid"

	"cartd/engine"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
)

// sampled is the number of accounts of a sample.
const sampled = 16

// SampleHashes is part of engine.Storage. It takes two round trips.
func (a *Accounts) SampleHashes(store uuid.UUID, deadline time.Time) ([]string, error) {
	customers := CustomersKey(store)
	found, err := a.client.ReadAll([]*redisdb.Call{redisdb.KeyCall("SRANDMEMBER", customers, sampled)}, deadline)
	if err != nil {
		return nil, err
	}
	ids, _ := found[0].([]any)
	calls := make([]*redisdb.Call, len(ids))
	for i, id := range ids {
		text, _ := id.(string)
		calls[i] = redisdb.KeyCall("GET", records.ContactPrefix(store)+text)
	}
	texts, err := a.client.ReadAll(calls, deadline)
	if err != nil {
		return nil, err
	}
	var hashes []string
	for _, text := range texts {
		text, _ := text.(string)
		if contact, err := records.Contacts.Decode(engine.RecordKey{Store: store}, text); err == nil { // a broken one is reported where it is needed
			hashes = append(hashes, contact.State.PasswordHash)
		}
	}
	return hashes, nil
}
