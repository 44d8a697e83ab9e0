package persistence

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/actors"
	"cartd/commerce"
	"cartd/commerce/storefile"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/persistence/records"
)

// setNode is a node whose actors carry out change sets.
type setNode struct {
	*testing.T
	*DB
	engine *engine.Engine
}

// waiting is the number of requests that wait at an actor.
const waiting = 256

func makeSetNode(t *testing.T, s *redistest.Server, edits ...func(*Config)) setNode {
	t.Helper()
	db := node(t, s, edits...)
	carts := actors.NewCarts(Carts.In(db), actors.Config{
		Mailbox: waiting, Resident: 1 << 20, Idle: time.Minute, Writer: records.NewWriter(), Logger: slog.New(slog.DiscardHandler),
	})
	t.Cleanup(carts.Close)
	sets := actors.NewStores(StoresIn(db), carts)
	t.Cleanup(sets.Close)
	return setNode{t, db, engine.New(db, carts, nil, nil, nil, sets, nil)}
}

// merchant is theShop with a key that changes the store, and one more.
func merchant() shop {
	s := theShop()
	s.Limit = 10_000
	s.Keys = append(s.Keys, apiKey("erp", "catalog:manage"), apiKey("other", "catalog:manage"))
	return s
}

// category is the body of a set of one category.
func category(n int, name string) string {
	return fmt.Sprintf(`{"format":1,"set":{"categories":[{"id":"%s","name":%q,"slug":"s%d"}]}}`, testID(n), name, n)
}

// send carries out a set with an API key, until its deadline.
func (n *setNode) send(key, body string, within time.Duration, keys ...*engine.IdempotencyKey) (engine.CatalogueChanged, error) {
	set, err := storefile.ParseChangeSet([]byte(body), storefile.MerchantSettings)
	if err != nil {
		return engine.CatalogueChanged{}, err
	}
	r := asks(key)
	r.Write, r.Deadline, r.Command = true, r.Began.Add(within), &engine.CatalogueChange{Set: set}
	if len(keys) > 0 {
		r.Idempotency = keys[0]
	}
	if err := n.engine.Admit(r); err != nil {
		return engine.CatalogueChanged{}, err
	}
	changed, _, err := n.engine.ChangeCatalogue(r)
	return changed, err
}

// until sends a set that is never answered, with a key and with later and later deadlines, until its visit is sent. It returns the
// outcome of that one.
func (n *setNode) until(sent *atomic.Bool, body string) error {
	n.Helper()
	for within := silence; within < patience; within *= 2 { // a busy machine needs longer
		if _, err := n.send("erp", body, within, once(1)); sent.Load() {
			return err
		}
	}
	n.Fatal("no visit was sent")
	return nil
}

// do is send for a set that has to be carried out.
func (n *setNode) do(body string) engine.CatalogueChanged {
	n.Helper()
	changed, err := n.send("erp", body, patience)
	if err != nil {
		n.Fatalf("%.80s: %v", body, err)
	}
	return changed
}

// names are those of the categories that a new node serves, in their order.
func names(t *testing.T, s *redistest.Server) string {
	t.Helper()
	l, err := node(t, s).LoadStore(background, shopID)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, c := range l.Store.Categories {
		all = append(all, c.Name)
	}
	return strings.Join(all, " ")
}

// told are the sets that the last lines of the history count, and who has made them.
func (n *setNode) told() (sets int, by string) {
	n.Helper()
	imports, _, err := n.History(background, shopID)
	if err != nil {
		n.Fatal(err)
	}
	for _, i := range imports {
		if sets += i.Sets; i.Sets > 0 {
			by += i.By + ";"
		}
	}
	return sets, by
}

// ofStore calls f ahead of each sending of a visit of the shop's record; its error is that of the sending. After lost,
// the visit is carried out and its answer is lost.
func ofStore(f func() error) redistest.Hook {
	return func(cmd redis.Cmder, next func() error) error {
		visits := runs(cmd, records.Write) && slices.ContainsFunc(cmd.Args(), func(arg any) bool {
			key, ok := arg.(*string)
			return ok && *key == "{"+shopID.String()+"}:store"
		})
		if !visits {
			return next()
		}
		err := f()
		if errors.Is(err, errLost) {
			return errors.Join(next(), io.EOF)
		}
		if err != nil {
			return err
		}
		return next()
	}
}

var errLost = errors.New("the answer is lost")

// gate lets visits of the shop's record pass once it is open, and counts them.
type gate struct {
	open   chan struct{}
	visits atomic.Int32
	met    chan struct{} // closed by the first visit
	once   sync.Once
	// release opens it, at the latest at the end of the test.
	release func()
}

// holdVisits makes a gate. The node has the store before, so that a request needs no trip on its way to the actor.
func holdVisits(n setNode) *gate {
	n.do(category(0, "Z"))
	g := &gate{open: make(chan struct{}), met: make(chan struct{})}
	g.release = sync.OnceFunc(func() { close(g.open) })
	n.Cleanup(g.release)
	n.client.Redis.AddHook(ofStore(func() error {
		g.visits.Add(1)
		g.once.Do(func() { close(g.met) })
		<-g.open
		return nil
	}))
	return g
}

// answered are the answers of sets that were sent at once.
type answered struct {
	changed engine.CatalogueChanged
	err     error
}

// atOnce sends sets at once, while the gate is closed, and opens it once they wait.
func (n *setNode) atOnce(g *gate, sends ...func() (engine.CatalogueChanged, error)) []answered {
	n.Helper()
	all := make([]answered, len(sends))
	var done sync.WaitGroup
	for i, send := range sends {
		done.Go(func() { all[i].changed, all[i].err = send() })
		if i == 0 {
			<-g.met
		}
	}
	time.Sleep(100 * time.Millisecond) // the others reach the actor, or come later: both are right
	g.release()
	done.Wait()
	return all
}

// Sets that arrive during a visit share the next one. Each is judged by what those before it leave: a faulty one spoils no
// other, and a repetition of a key in the batch is a replay.
func TestBatchOfChangeSets(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		n := makeSetNode(t, s)
		merchant().save(t, n.DB)
		g := holdVisits(n)
		plain := func(key, body string, keys ...*engine.IdempotencyKey) func() (engine.CatalogueChanged, error) {
			return func() (engine.CatalogueChanged, error) { return n.send(key, body, patience, keys...) }
		}
		other := *once(1)
		other.Request[0]++
		got := n.atOnce(g,
			plain("erp", category(1, "A")),
			plain("erp", category(2, "B"), once(1)), plain("erp", category(2, "B"), once(1)),
			plain("erp", category(3, "")),
			plain("other", category(4, "D")),
		)
		if v := g.visits.Load(); v > 4 {
			t.Errorf("%d visits of five sets", v)
		}
		replayed := 0
		for i, a := range got {
			var refusal *commerce.Refusal
			if faulty := i == 3; faulty != (errors.As(a.err, &refusal) && refusal.Kind == commerce.Invalid) || !faulty && a.err != nil {
				t.Errorf("set %d: %+v, %v", i, a.changed, a.err)
			}
			if a.changed.Replayed {
				replayed++
			}
		}
		if got[1].changed.Revision != got[2].changed.Revision || replayed != 1 {
			t.Errorf("two of one key: %+v and %+v; want one commit, replayed once", got[1].changed, got[2].changed)
		}
		if again, err := n.send("erp", category(2, "B"), patience, once(1)); err != nil || !again.Replayed || again.Revision != got[1].changed.Revision {
			t.Errorf("repeated later: %+v, %v", again, err)
		}
		if _, err := n.send("erp", category(2, "C"), patience, &other); !errors.Is(err, commerce.IdempotencyKeyReused) {
			t.Errorf("another body under the key: %v", err)
		}
		have := strings.Fields(names(t, s))
		slices.Sort(have)
		if sets, _ := n.told(); strings.Join(have, " ") != "A B D Z" || sets != 4 {
			t.Errorf("the store has %q and its history %d sets, want A B D Z and 4", have, sets)
		}
	})
}

// Two nodes that change one store at once follow each other and judge again: every set is there, and both nodes serve all.
func TestChangeSetsOfTwoNodes(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		nodes := [2]setNode{makeSetNode(t, s), makeSetNode(t, s)}
		merchant().save(t, nodes[0].DB)
		const each = 20
		var all sync.WaitGroup
		for i := range nodes {
			for k := range each {
				all.Go(func() {
					if _, err := nodes[i].send("erp", category(1+i*each+k, fmt.Sprintf("N%dC%d", i, k)), patience); err != nil {
						t.Errorf("node %d, set %d: %v", i, k, err)
					}
				})
			}
		}
		all.Wait()
		if have := strings.Fields(names(t, s)); len(have) != 2*each {
			t.Errorf("%d categories of %d", len(have), 2*each)
		}
		for i := range nodes {
			r := asks("erp")
			if err := nodes[i].engine.Admit(r); err != nil || len(r.Store.Categories) != 2*each {
				t.Errorf("node %d serves %d categories, %v", i, len(r.Store.Categories), err)
			}
		}
		if sets, _ := nodes[0].told(); sets != 2*each {
			t.Errorf("the history counts %d sets", sets)
		}
	})
}

// A set that is right by what its node knows, and faulty by what the other one has committed, is refused.
func TestChangeSetThatAnotherNodeMakesFaulty(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		n, other := makeSetNode(t, s), makeSetNode(t, s)
		merchant().save(t, n.DB)
		n.do(category(1, "A"))
		n.client.Redis.AddHook(ofStore(sync.OnceValue(func() error {
			other.do(category(2, "B"))
			return nil
		})))
		same := strings.Replace(category(3, "C"), `"s3"`, `"s2"`, 1)
		_, err := n.send("erp", same, patience)
		var refusal *commerce.Refusal
		if !errors.As(err, &refusal) || !strings.Contains(fmt.Sprint(refusal.Fields), "categories[1].slug") {
			t.Errorf("a slug that the other node has just given: %v, %+v", err, refusal)
		}
		if got := names(t, s); got != "A B" {
			t.Errorf("the store has %q", got)
		}
	})
}

// A key that is revoked while its sets wait: they are 401, and nothing of them was done. Sets of another key are carried out.
func TestRevokedKeyOfWaitingChangeSets(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		n, operator := makeSetNode(t, s), node(t, s)
		merchant().save(t, n.DB)
		n.do(category(1, "A"))
		n.client.Redis.AddHook(ofStore(sync.OnceValue(func() error {
			return operator.RevokeKey(background, shopID, "erp")
		})))
		var all sync.WaitGroup
		for i := range 5 {
			all.Go(func() {
				if _, err := n.send("erp", category(10+i, "Revoked"), patience); !errors.Is(err, commerce.Unauthenticated) {
					t.Errorf("set %d of the revoked key: %v, want 401", i, err)
				}
			})
		}
		all.Wait()
		if _, err := n.send("other", category(2, "B"), patience); err != nil {
			t.Errorf("a set of another key: %v", err)
		}
		if got := names(t, s); got != "A B" {
			t.Errorf("the store has %q, want A B", got)
		}
		if sets, by := n.told(); sets != 2 || by != "key other;key erp;" {
			t.Errorf("the history has %d sets by %s", sets, by)
		}
	})
}

// At most 256 sets of a store wait at a node; more are 503, and nothing of them was done.
func TestWaitingChangeSetsAreBounded(t *testing.T) {
	s := redistest.Mini(t)
	n := makeSetNode(t, s)
	merchant().save(t, n.DB)
	g := holdVisits(n)
	var done, full atomic.Int32
	var all sync.WaitGroup
	for i := range waiting + 50 {
		all.Go(func() {
			switch _, err := n.send("erp", category(1+i, fmt.Sprint("C", i)), patience); {
			case err == nil:
				done.Add(1)
			case errors.Is(err, engine.MailboxFull):
				full.Add(1)
			default:
				t.Errorf("set %d: %v", i, err)
			}
		})
	}
	eventually(t, "refusals", patience, func() bool { return full.Load() > 0 })
	time.Sleep(100 * time.Millisecond) // the others wait
	g.release()
	all.Wait()
	if have := len(strings.Fields(names(t, s))); int32(have) != 1+done.Load() || done.Load() < waiting || full.Load() == 0 {
		t.Errorf("%d sets are in the store, %d were answered 200, %d 503", have, done.Load(), full.Load())
	}
}
