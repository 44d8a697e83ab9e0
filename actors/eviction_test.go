package actors

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
)

// resides reports whether a record is in memory, without marking it as used.
func resides[S any](d *directory[S], key engine.RecordKey) bool {
	s := d.shard(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	_, packed := s.packed.positions[key]
	return packed || s.entries[key] != nil
}

// sweepAll passivates idle records of a directory as at a later time.
func sweepAll[S any](d *directory[S], later time.Duration) {
	for i := range d.shards {
		d.sweep(&d.shards[i], time.Now().Add(later))
	}
}

// keepContact makes a contact resident.
func keepContact(contacts *Contacts, key engine.RecordKey) {
	c := &commerce.Contact{ID: key.ID, Email: "ada@example.test"}
	contacts.directory.keep(key, &engine.Record[*commerce.Contact]{Stamp: engine.Stamp{Counter: 1}, State: c})
}

// Carts, packed carts and contacts leave in the order of their last use.
func TestRecordsOfAllKindsLeaveInTheOrderOfUse(t *testing.T) {
	const records, idle = 60, 1000 * time.Hour // no tick of its own
	s := newScene(t, func(c *Config) { c.Idle = idle })
	contacts := NewContacts(&contactStorage{kind: engine.ContactKind, ownHead: true}, s.node.Carts)
	defer contacts.Close()
	sweepAll(s.node.directory, (stays+1)*idle)
	key := func(i int) engine.RecordKey { return engine.RecordKey{Store: s.shop.ID, ID: shardID(i * 37)} }
	use := func(i int) {
		if i%3 == 0 {
			keepContact(contacts, key(i))
			return
		}
		cart := commerce.NewCart(key(i).ID, noon)
		s.node.directory.keep(key(i), &engine.CartRecord{Stamp: engine.Stamp{Counter: 1}, State: cart})
	}
	present := func(i int) bool { return resides(s.node.directory, key(i)) || resides(contacts.directory, key(i)) }

	order := rand.New(rand.NewPCG(7, 0)).Perm(records)
	for at, i := range order {
		s.node.directory.env.now.Store(int64(at + 1))
		use(i)
		if at == records/2 {
			sweepAll(s.node.directory, 2*idle) // packs the carts
		}
	}
	budget := &s.node.directory.env.budget
	for left := records; left > 0; {
		budget.limit = budget.bytes.Load() - 1
		budget.makeRoom()
		gone := 0
		for gone < records && !present(order[gone]) {
			gone++
		}
		if gone <= records-left {
			t.Fatalf("nothing left while %d bytes are 1 too many", budget.bytes.Load())
		}
		left = records - gone
		for _, i := range order[gone:] {
			if !present(i) {
				t.Fatalf("record %d left before record %d, which was used earlier", i, order[gone])
			}
		}
	}
	if got := budget.bytes.Load(); got != 0 {
		t.Errorf("%d bytes are counted for no record", got)
	}
}

// note is metadata of a given size in bytes.
func note(bytes int) commerce.PatchCart {
	text := commerce.Scalar{IsString: true, Text: strings.Repeat("x", bytes)}
	return commerce.PatchCart{MetadataSent: true, Metadata: commerce.Metadata{{Key: "note", Value: text}}}
}

// After all changes, no bytes are counted for records that have left.
func TestTheBudgetIsEmptyWhenEveryRecordHasLeft(t *testing.T) {
	const idle = time.Hour
	s := newScene(t, func(c *Config) { c.Idle = idle })
	contacts := NewContacts(&contactStorage{kind: engine.ContactKind, ownHead: true}, s.node.Carts)
	defer contacts.Close()
	for n := range 20 {
		s.key.ID = shardID(n)
		s.create(s.key.ID)
		s.do(note(n * 1000))
		keepContact(contacts, s.key)
	}
	counted := s.node.directory.env.budget.bytes.Load()
	if minimum := int64(20 * (9500 + 2*entrySize + actorSize)); counted < minimum {
		t.Errorf("%d bytes are counted; want at least %d", counted, minimum)
	}
	sweepAll(s.node.directory, 2*idle) // packs them
	s.key.ID = shardID(1)
	s.do(note(100)) // unpacks one
	if _, err := s.node.change(s.request((*commerce.AddLine)(nil))); err == nil {
		t.Error("a change without a command went well; want a panic")
	}
	sweepAll(s.node.directory, 2*idle)
	if got := s.node.directory.env.budget.bytes.Load(); got <= 0 || got >= counted {
		t.Errorf("%d bytes are counted for packed records, %d for unpacked ones", got, counted)
	}
	sweepAll(s.node.directory, (stays+3)*idle)
	sweepAll(contacts.directory, 2*idle)
	if got := s.node.directory.env.budget.bytes.Load(); got != 0 {
		t.Errorf("%d bytes are counted; want 0", got)
	}
}

// Many large records stay within the limit, and those that left come back unchanged.
func TestHeavyRecordsStayWithinTheLimit(t *testing.T) {
	const carts, size, limit = 300, 64 << 10, 2 << 20
	s := newScene(t, func(c *Config) { c.Resident, c.Idle = limit, 1000*time.Hour }) // no tick of its own
	check := func(i int) {
		if got := s.node.directory.env.budget.bytes.Load(); got > limit {
			t.Fatalf("%d bytes are counted after cart %d; want %d at most", got, i, limit)
		}
	}
	for i := range carts {
		s.key.ID = shardID(i)
		s.create(s.key.ID)
		s.do(note(size))
		check(i)
	}
	if n, _ := s.node.Resident(); n < limit/size/engine.CartKind.Memory-1 {
		t.Errorf("%d carts are resident; want at least %d", n, limit/size/engine.CartKind.Memory-1)
	}
	for i := range carts {
		s.key.ID = shardID(i)
		reply, err := s.node.read(s.key.ID, patience)
		if err != nil || len(reply.Cart.Metadata) != 1 || len(reply.Cart.Metadata[0].Value.Text) != size {
			t.Fatalf("cart %d: %v, %v", i, reply.Cart, err)
		}
		check(i)
	}
}

// Clients use more carts than there is room for, on all shards at once: no change is lost,
// and the count stays exact.
func TestLeavingAndServingDoNotRace(t *testing.T) {
	const clients, carts, each, limit = 8, 40, 60, 20 << 10
	s := newScene(t, func(c *Config) { c.Resident = limit })
	ids := make([]uuid.UUID, carts)
	for i := range ids {
		ids[i] = shardID(i * 7)
		s.create(ids[i])
	}
	var all []func() error
	for client := range clients {
		all = append(all, func() error {
			for n := range each {
				if _, err := s.node.change(s.node.request(ids[(client*11+n*3)%carts], add(1), nil)); err != nil {
					return fmt.Errorf("client %d: %w", client, err)
				}
			}
			return nil
		})
	}
	for _, err := range atOnce(s, all) {
		if err != nil {
			t.Error(err)
		}
	}
	total := 0
	for _, id := range ids {
		total += quantity(s.storage.record(engine.RecordKey{Store: s.shop.ID, ID: id}).State, 1)
	}
	if total != clients*each {
		t.Errorf("the carts have %d of the product; want %d", total, clients*each)
	}
	budget := &s.node.directory.env.budget
	s.eventually("the records are within the limit", func() bool { budget.makeRoom(); return budget.bytes.Load() <= limit })
	s.sweepAt(1000 * time.Hour)
	s.sweepAt(1000 * time.Hour)
	if got := budget.bytes.Load(); got != 0 {
		t.Errorf("%d bytes are counted for no record", got)
	}
}

// fakeEvictor is a shard of records of 100 bytes.
type fakeEvictor struct {
	budget  *budget
	records int
	ran     int
	locked  bool // it ran while the budget's lock was held
}

func (f *fakeEvictor) oldest() time.Duration {
	if f.records == 0 {
		return noRecord
	}
	return time.Duration(-f.records)
}

func (f *fakeEvictor) evict() time.Duration {
	f.records--
	f.budget.bytes.Add(-100)
	return f.oldest()
}

func (f *fakeEvictor) run() {
	f.ran++
	if !f.budget.mu.TryLock() {
		f.locked = true
		return
	}
	f.budget.mu.Unlock()
}

// No actor runs while the budget's lock is held: another goroutine could not make room meanwhile.
func TestActorsRunAfterRoomIsMade(t *testing.T) {
	b := &budget{limit: 450}
	shards := []*fakeEvictor{{budget: b, records: 4}, {budget: b, records: 3}, {budget: b}}
	for _, s := range shards {
		b.add(s)
		b.bytes.Add(int64(100 * s.records))
	}
	b.makeRoom()
	if b.bytes.Load() > b.limit {
		t.Errorf("%d bytes are left of %d", b.bytes.Load(), b.limit)
	}
	for i, want := range []int{1, 1, 0} { // of seven records three leave: two of the first shard, one of the second
		if s := shards[i]; s.ran != want || s.locked {
			t.Errorf("shard %d ran %d times, with the lock held: %v; want %d", i, s.ran, s.locked, want)
		}
	}
}

// shelved is a record in the model of the packed cache.
type shelved struct {
	key  engine.RecordKey
	used time.Duration
	kept string
}

// After all calls the packed cache holds the same records as a list, in at most about twice as many
// bytes.
func TestPackedCacheHoldsTheSameAsAList(t *testing.T) {
	alone(t)
	const seed = 20261120
	dice := rand.New(rand.NewPCG(seed, 0))
	a := &packedCache{}
	var model []shelved
	at := func(key engine.RecordKey) int {
		return slices.IndexFunc(model, func(s shelved) bool { return s.key == key })
	}
	for step := range 10_000 {
		key := engine.RecordKey{Store: testID(dice.IntN(2)), ID: testID(dice.IntN(300))}
		i := at(key)
		switch n := dice.IntN(100); {
		case n < 2:
			if got := a.drop(); got != (len(model) > 0) {
				t.Fatalf("step %d: dropped %v of %d", step, got, len(model))
			}
			model = model[min(1, len(model)):]
		case n < 3 && step%2_000 > 1_800: // now and then it empties
			for a.drop() {
			}
			model = nil
		case i < 0:
			s := shelved{key, time.Duration(step), strings.Repeat(string(rune('a'+dice.IntN(26))), dice.IntN(900))}
			if n == 50 {
				s.kept = strings.Repeat("x", maxBlock+1)
			}
			a.put(s.key, s.used, []byte(s.kept))
			model = append(model, s)
		case n < 70:
			got, ok := a.pop(key)
			if !ok || got != model[i].kept {
				t.Fatalf("step %d: took %d bytes, %v; want %d", step, len(got), ok, len(model[i].kept))
			}
			model = slices.Delete(model, i, i+1)
		}
		if _, ok := a.pop(engine.RecordKey{ID: testID(1000)}); ok {
			t.Fatalf("step %d: took a record that was never put in", step)
		}
		checkPackedCache(t, a, model)
	}
}

func checkPackedCache(t *testing.T, a *packedCache, model []shelved) {
	t.Helper()
	live, allocated := 0, 0
	for _, s := range model {
		live += keptFrom + len(s.kept)
	}
	for _, b := range a.blocks {
		allocated += cap(b.data)
	}
	if a.len() != len(model) || a.live != live || a.allocated != allocated || allocated > 2*live+live/2+4*maxBlock {
		t.Fatalf("%d records of %d bytes in %d, counted as %d; want %d of %d", a.len(), a.live, allocated, a.allocated, len(model), live)
	}
	key, used, ok := a.oldest()
	if ok != (len(model) > 0) || ok && (key != model[0].key || used != model[0].used) {
		t.Fatalf("the oldest is %v of %v, %v; want the first of %d", key, used, ok, len(model))
	}
}

// Bytes taken out stay unchanged by later calls.
func TestRecordTakenFromPackedCacheStaysAsItIs(t *testing.T) {
	a := &packedCache{}
	first, second := engine.RecordKey{ID: testID(1)}, engine.RecordKey{ID: testID(2)}
	a.put(first, 0, []byte("first"))
	kept, _ := a.pop(first)
	for range 100 {
		a.put(second, 0, bytes.Repeat([]byte("x"), minBlock/4))
		a.pop(second)
	}
	if kept != "first" {
		t.Errorf("it became %q", kept)
	}
}
