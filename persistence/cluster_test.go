package persistence

import (
	"testing"

	"github.com/google/uuid"

	"cartd/internal/redistest"
	"cartd/persistence/stores"
)

// cluster starts two masters, each with half of the slots.
func cluster(t *testing.T) (url string, halves [2]*redistest.Server) {
	t.Helper()
	url, masters := redistest.Cluster(t, [][2]int{{0, 8191}, {8192, 16383}}, "--cluster-node-timeout", "60000")
	return url, [2]*redistest.Server(masters)
}

// keySlot returns the slot of a key with a hash tag, from Redis.
func keySlot(t *testing.T, s *redistest.Server, key string) int {
	t.Helper()
	slot, err := s.Client().ClusterKeySlot(background, key).Result()
	if err != nil {
		t.Fatal(err)
	}
	return int(slot)
}

// shopOf makes a store whose keys are on a half of the cluster.
func shopOf(t *testing.T, on *redistest.Server, half int) shop {
	t.Helper()
	return shopIn(t, on, [2]int{half * 8192, half*8192 + 8191})
}

// shopIn makes a store whose keys are in a range of slots.
func shopIn(t *testing.T, on *redistest.Server, slots [2]int) shop {
	t.Helper()
	for {
		s := theShop()
		s.ID = uuid.New()
		if slot := keySlot(t, on, stores.HeadKey(s.ID)); slots[0] <= slot && slot <= slots[1] {
			s.Limit, s.Keys = 100_000, []object{apiKey(s.ID.String(), "commerce:read")}
			return s
		}
	}
}
