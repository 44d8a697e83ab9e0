package persistence

import (
	"time"

	"cartd/engine"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
)

// CartStamps is part of engine.Storage.
func (d *DB) CartStamps(keys []engine.RecordKey, deadline time.Time) map[engine.RecordKey]engine.Stamp {
	calls := make([]*redisdb.Call, len(keys))
	for i, key := range keys {
		name := records.Carts.Key(key)
		calls[i] = redisdb.KeyCall("GETRANGE", name, records.StampFrom, records.HeadFrom-1)
	}
	found := make(map[engine.RecordKey]engine.Stamp, len(keys))
	for i, reply := range d.client.RunAll(deadline, calls) {
		text, is := reply.Value.(string)
		if reply.Err != nil || !is {
			continue
		}
		if stamp, err := records.ParseStamp(text); err == nil {
			found[keys[i]] = stamp
		}
	}
	return found
}
