package stock

import (
	"embed"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/persistence/redisdb"
)

// Stock reads and releases the stores' stock in Redis.
type Stock struct {
	client *redisdb.Client
	// expired counts the carts whose holds this node has released.
	expired atomic.Uint64
}

// New is the stock in a Redis.
func New(client *redisdb.Client) *Stock { return &Stock{client: client} }

// HoldsExpired counts the carts whose expired holds this node has released.
func (s *Stock) HoldsExpired() uint64 { return s.expired.Load() }

// levelsEach is the max number of items that one script reads. docs/design.md#bounded.
const levelsEach = 2000

// StockLevels reads the stock of items as a cart sees it (zero if no cart asks), in the items' order.
// It releases expired holds first for a cart, and if an item is unavailable. Errors:
// ErrUnavailable.
func (s *Stock) StockLevels(store, cart uuid.UUID, items []uuid.UUID, deadline time.Time) ([]commerce.StockLevel, error) {
	levels, expired, err := s.readLevels(store, cart, items, deadline)
	if err == nil && expired && (cart != uuid.Nil || anyUnavailable(levels)) {
		if _, err = s.ExpireHolds(store, deadline); err == nil {
			levels, _, err = s.readLevels(store, cart, items, deadline)
		}
	}
	return levels, s.client.Unreadable(err, OnHandKey(store))
}

func anyUnavailable(levels []commerce.StockLevel) bool {
	for _, l := range levels {
		if l.Available() == 0 {
			return true
		}
	}
	return false
}

// readLevels reads all levels, in turns with other requests. It also reports whether expired holds still
// count as held.
func (s *Stock) readLevels(store, cart uuid.UUID, items []uuid.UUID, deadline time.Time) (levels []commerce.StockLevel, expired bool, err error) {
	keys := []string{OnHandKey(store), HeldKey(store), CartKey(store, cart), HoldsKey(store)}
	for some := range slices.Chunk(items, levelsEach) {
		args := make([]any, len(some))
		for i, id := range some {
			args[i] = id.String()
		}
		reply := s.client.RunAll(deadline, []*redisdb.Call{{Script: levelsScript, Keys: keys, Args: args}})[0]
		if reply.Err != nil {
			return nil, false, redisdb.OrUnavailable(reply.Err)
		}
		read, late, err := parseLevels(reply.Value, len(some))
		if err != nil {
			return nil, false, err
		}
		levels, expired = append(levels, read...), expired || late
	}
	return levels, expired, nil
}

// parseLevels reads the script's reply for n items.
func parseLevels(v any, n int) ([]commerce.StockLevel, bool, error) {
	reply, _ := v.([]any)
	if len(reply) != 4 {
		return nil, false, redisdb.ErrReply
	}
	var columns [3][]any
	for i := range columns {
		columns[i], _ = reply[i+1].([]any)
		if len(columns[i]) != n {
			return nil, false, redisdb.ErrReply
		}
	}
	levels := make([]commerce.StockLevel, n)
	for i := range levels {
		levels[i] = commerce.StockLevel{OnHand: Micros(columns[0][i]), Held: Micros(columns[1][i]), Own: Micros(columns[2][i])}
	}
	return levels, reply[0] != int64(0), nil
}

// Micros reads a number of a stock hash; 0 if it is absent.
func Micros(field any) commerce.Micros {
	text, _ := field.(string)
	n, _ := strconv.ParseInt(text, 10, 64)
	return commerce.Micros(n)
}

//go:embed *.lua
var files embed.FS

var (
	expireHoldsScript = redisdb.NewScript(files, "expire_holds")
	levelsScript      = redisdb.NewScript(files, "stock_levels")
)
