package stores

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/accounts"
	"cartd/persistence/records"
)

// TakenExternalID is an external id that an import takes from an account.
type TakenExternalID struct {
	ExternalID string
	From, To   uuid.UUID
}

// TakenExternalIDs lists the external ids that an import of the document takes from accounts that have them
// now. It writes nothing.
func (s *Stores) TakenExternalIDs(ctx context.Context, doc *Document) (taken []TakenExternalID, err error) {
	var asked []TakenExternalID
	external := externalIDs(doc.Customers)
	for i := range doc.Customers {
		if c := &doc.Customers[i]; external[c.ExternalID] == c.ID {
			asked = append(asked, TakenExternalID{ExternalID: c.ExternalID, To: c.ID})
		}
	}
	for start := 0; start < len(asked) && err == nil; start += customerChunk {
		taken, err = s.appendTaken(ctx, taken, doc.Store, asked[start:min(start+customerChunk, len(asked))])
	}
	return taken, brokenOff(err)
}

// appendTaken appends those of the ids that another account of the store has. An index entry counts only while
// its account has the id.
func (s *Stores) appendTaken(ctx context.Context, taken []TakenExternalID, store uuid.UUID, asked []TakenExternalID) ([]TakenExternalID, error) {
	pipe := s.client.Redis.Pipeline()
	entries := make([]*redis.StringCmd, len(asked))
	for i := range asked {
		entries[i] = pipe.Get(ctx, accounts.ExternalKey(store, asked[i].ExternalID))
	}
	if err := readAll(ctx, pipe); err != nil {
		return nil, err
	}
	for i, one := range asked {
		holder, ok := commerce.ParseID(entries[i].Val())
		if !ok || holder == one.To {
			continue
		}
		key := engine.RecordKey{Store: store, ID: holder}
		text, err := s.client.Redis.Get(ctx, records.Contacts.Key(key)).Result()
		switch {
		case errors.Is(err, redis.Nil):
			continue
		case err != nil:
			return nil, err
		}
		found, err := records.Contacts.Decode(key, text)
		if err != nil {
			return nil, err
		}
		if found.State.ExternalID == one.ExternalID {
			one.From = holder
			taken = append(taken, one)
		}
	}
	return taken, nil
}
