package stores

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
)

// What one sending means depends on whether an earlier one may have had its effect:
// docs/design.md#two-drivers.
func TestWhatASendingMeans(t *testing.T) {
	answer := func(visit any) redisdb.Reply {
		return redisdb.Reply{Value: []any{int64(1), "head", int64(0), int64(0), visit}}
	}
	var (
		lost    = redisdb.Reply{Err: io.EOF}
		refused = redisdb.Reply{Err: redisdb.ErrDial}
		script  = redisdb.Reply{Err: redisError("WRONGTYPE of the log")}
		few     = redisdb.Reply{Value: answer(int64(0)).Value, Err: redisdb.ErrTooFewReplicas}
		done    = answer(int64(0))
		earlier = answer(int64(1))
		other   = answer([]any{"record", "r"})
		short   = answer([]any{"short", int64(0), "1"})
		broken  = answer([]any{"broken", "k"})
		moved   = redisdb.Reply{Value: []any{int64(1), "another head", int64(0), int64(0), int64(-1)}}
	)
	for name, c := range map[string]struct {
		replies []redisdb.Reply
		want    engine.OutcomeKind
		again   bool
	}{
		"done":                            {[]redisdb.Reply{done}, engine.Done, false},
		"another record":                  {[]redisdb.Reply{other}, engine.OtherRecord, false},
		"short":                           {[]redisdb.Reply{short}, engine.Short, false},
		"another head":                    {[]redisdb.Reply{moved}, engine.OtherHead, false},
		"broken":                          {[]redisdb.Reply{broken}, engine.Broken, false},
		"a script's error":                {[]redisdb.Reply{script}, engine.Broken, false},
		"refused":                         {[]redisdb.Reply{refused}, engine.Refused, false},
		"lost":                            {[]redisdb.Reply{lost}, engine.Unknown, true},
		"too few replicas":                {[]redisdb.Reply{few}, engine.Unknown, true},
		"done by the lost sending":        {[]redisdb.Reply{lost, earlier}, engine.Done, false},
		"another record after a loss":     {[]redisdb.Reply{lost, other}, engine.OtherRecord, false},
		"another head after a loss":       {[]redisdb.Reply{lost, moved}, engine.OtherHead, false},
		"short after a loss":              {[]redisdb.Reply{lost, short}, engine.Unknown, true},
		"refused after a loss":            {[]redisdb.Reply{lost, refused}, engine.Unknown, true},
		"broken after a loss":             {[]redisdb.Reply{lost, broken}, engine.Unknown, false},
		"done after a loss and a refusal": {[]redisdb.Reply{lost, refused, done}, engine.Done, false},
	} {
		made := commit{Call: &records.Call{Head: "head", Visits: []*records.Visit{{}}}}
		for _, reply := range c.replies {
			made.onReply(reply)
		}
		if r := made.results[0]; r.Kind != c.want || made.again != c.again || r.Earlier {
			t.Errorf("%s: kind %v, again %v, earlier %v; want %v, %v and false", name, r.Kind, made.again, r.Earlier, c.want, c.again)
		}
	}
}

// redisError is an answer of Redis.
type redisError string

func (e redisError) Error() string { return string(e) }
func (redisError) RedisError()     {}

// Calls whose answer was lost are sent again until Redis answers, and write once; at the deadline their
// outcome is unknown.
func TestACommitWhoseAnswerIsLost(t *testing.T) {
	for _, c := range []struct {
		name   string
		losses int
		want   engine.OutcomeKind
	}{{"once", 1, engine.Done}, {"until the deadline", 1 << 20, engine.Unknown}} {
		t.Run(c.name, func(t *testing.T) {
			s := redistest.Mini(t)
			db, losses, sent := node(t, s), c.losses, 0
			theShop().save(t, db)
			head := s.Client().Get(background, HeadKey(shopID)).Val()
			first, second := shopKey("first"), shopKey("second")
			db.client.Redis.(*redis.Client).AddHook(redistest.Hook(func(cmd redis.Cmder, next func() error) error {
				err := next()
				if !carries(cmd, first) {
					return err
				}
				if sent++; sent <= losses {
					return io.EOF
				}
				return err
			}))
			calls := []*records.Call{committing(head, first), committing(head, second)}
			results, err := db.CarryOut(shopID, time.Now().Add(silence), calls...)
			if results[0].Kind != c.want || results[1].Kind != c.want || (err == nil) != (c.want == engine.Done) || sent < 2 {
				t.Errorf("%v and %v, error %v, sent %d times; want %v", results[0].Kind, results[1].Kind, err, sent, c.want)
			}
			for _, key := range []string{first, second} {
				if got := s.Client().LLen(background, key+":log").Val(); got != 1 {
					t.Errorf("%s was written %d times", key, got)
				}
			}
		})
	}
}

// An answer that proves something ends the sending: a broken key, and an error of the script itself.
func TestACommitThatRedisCannotCarryOut(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *Stores) {
		theShop().save(t, db)
		client := s.Client()
		head := client.Get(background, HeadKey(shopID)).Val()
		key := shopKey("record")
		client.Set(background, key+":log", "no list", 0)
		results, err := db.CarryOut(shopID, time.Now().Add(patience), committing(head, key))
		if err != nil || results[0].Kind != engine.Broken || results[0].Key != key+":log" {
			t.Errorf("a broken key: %+v, %v", results, err)
		}
		client.Del(background, HeadKey(shopID))
		client.LPush(background, HeadKey(shopID), "no text")
		results, err = db.CarryOut(shopID, time.Now().Add(patience), committing(head, shopKey("other")))
		if err == nil || !strings.Contains(err.Error(), "WRONGTYPE") || results[0].Kind != engine.Broken || errors.Is(err, redisdb.ErrCorrupt) {
			t.Errorf("an error of the script: %+v, %v", results, err)
		}
	})
}

func shopKey(name string) string { return "{" + shopID.String() + "}:" + name }

// committing is a call that makes a record and appends to a list beside it.
func committing(head, key string) *records.Call {
	v := &records.Visit{Key: key, Record: "1" + strings.Repeat("s", 24) + "text"}
	v.Plan.List("RPUSH", key+":log", "entry")
	return &records.Call{Head: head, Judged: time.Now(), Tolerance: time.Hour, Visits: []*records.Visit{v}}
}

// carries reports whether a command is a call with a key.
func carries(cmd redis.Cmder, key string) bool {
	return slices.ContainsFunc(cmd.Args(), func(arg any) bool { text, ok := arg.(*string); return ok && *text == key })
}
