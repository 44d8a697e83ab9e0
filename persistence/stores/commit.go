package stores

import (
	"fmt"
	"time"

	"github.com/google/uuid"

	"cartd/engine"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
	"cartd/ratelimit"
)

// Commit sends visits of records without an actor or a request, each in a call of its own,
// together. They belong to an import or an operator's command, were judged at one time under
// one head, and count no request. Errors: ErrCorrupt of a broken key, or the error of a call.
func (s *Stores) Commit(store uuid.UUID, head string, judged time.Time, tolerance time.Duration, visits []*records.Visit) ([]engine.OutcomeKind, error) {
	given := make([]records.Call, len(visits))
	calls := make([]*redisdb.Call, len(visits))
	for i := range visits {
		given[i] = records.Call{
			Log: ratelimit.StoreKey(store.String()), HeadKey: HeadKey(store), Head: head,
			Judged: judged, Tolerance: tolerance, Visits: visits[i : i+1],
		}
		calls[i] = &redisdb.Call{Keys: []string{visits[i].Key}, Args: given[i].Args()}
	}
	outcomes := make([]engine.OutcomeKind, len(visits))
	for i, reply := range s.client.RunAll(s.client.Soon(), calls) {
		if reply.Err != nil {
			return nil, reply.Err
		}
		results, _, err := given[i].Results(reply.Value)
		if err != nil {
			return nil, err
		}
		if outcomes[i] = results[0].Kind; outcomes[i] == engine.Broken {
			return nil, fmt.Errorf("%s: %w", results[0].Key, redisdb.ErrCorrupt)
		}
	}
	return outcomes, nil
}
