package persistence

import (
	"context"
	"slices"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
)

// movers are the customers of a document between whom addresses change hands, each behind
// the one whose address it gets: an import that is killed among them has left nobody whose
// address leads to another. Where addresses go round there is no such order, and the killed
// import leaves one customer of the round like that.
func (w *contactImport) movers(ctx context.Context, customers []commerce.Customer) ([]commerce.Customer, error) {
	if known, err := w.db.main.Redis.SCard(ctx, customersKey(w.store)).Result(); known == 0 || err != nil {
		return nil, err
	}
	holders, err := w.holders(ctx, customers)
	if len(holders) == 0 || err != nil {
		return nil, err
	}
	places := make(map[uuid.UUID]int, len(customers))
	for i := range customers {
		places[customers[i].ID] = i
	}
	var movers []commerce.Customer
	for i := range customers {
		var chain []commerce.Customer
		id := customers[i].ID
		for _, more := holders[id]; more; {
			at, listed := places[id]
			if !listed { // or placed
				break
			}
			delete(places, id)
			chain = append(chain, customers[at])
			id, more = holders[id]
		}
		slices.Reverse(chain)
		movers = append(movers, chain...)
	}
	return movers, nil
}

// holders tells of the customers whose address leads to another customer now to whom it
// leads.
func (w *contactImport) holders(ctx context.Context, customers []commerce.Customer) (map[uuid.UUID]uuid.UUID, error) {
	holders := map[uuid.UUID]uuid.UUID{}
	for chunk := range slices.Chunk(customers, customerChunk) {
		pipe := w.db.main.Redis.Pipeline()
		replies := make([]*redis.StringCmd, len(chunk))
		for i := range chunk {
			replies[i] = pipe.Get(ctx, emailKey(w.store, chunk[i].Email))
		}
		pipe.Exec(ctx) // whose error is that of the first, which may be that there is none
		for i, reply := range replies {
			if err := reply.Err(); err != nil && err != redis.Nil {
				return nil, err
			}
			if holder, ok := commerce.ParseID(reply.Val()); ok && holder != chunk[i].ID {
				holders[chunk[i].ID] = holder
			}
		}
	}
	return holders, nil
}
