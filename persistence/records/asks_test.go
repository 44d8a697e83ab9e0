package records

import (
	"testing"
	"time"

	"cartd/internal/redistest"
)

var stockOf = StockKeys{OnHand: "o", Held: "h", Own: "own"}

func hold(item string, n int64) func(*Plan) { return holdTo(item, n, 0) }
func take(item string, n int64) func(*Plan) { return takeTo(item, n, 0) }
func holdTo(item string, n, limit int64) func(*Plan) {
	return func(p *Plan) { p.Hold(stockOf, item, n, limit) }
}
func takeTo(item string, n, limit int64) func(*Plan) {
	return func(p *Plan) { p.Take(stockOf, item, n, limit) }
}
func adjust(item string, n int64) func(*Plan) {
	return func(p *Plan) { p.Adjust("o", "h", item, n) }
}
func use(field string, n, limit int64) func(*Plan) { return useOf("u", field, n, limit) }
func useOf(key, field string, n, limit int64) func(*Plan) {
	return func(p *Plan) { p.Use(key, field, n, limit) }
}
func giveBack(field string, n, limit int64) func(*Plan) {
	return func(p *Plan) { p.GiveBack("u", field, n, limit) }
}
func giveStock(item string, n, maximum int64) func(*Plan) {
	return func(p *Plan) { p.Return("o", item, n, maximum) }
}
func ifLast(p *Plan)   { p.IfLast("SET", "last", "1") }
func expiries(p *Plan) { p.Expiries("holds") }

// cart returns a visit that makes the cart's first record.
func cart(steps ...func(*Plan)) []*Visit { return []*Visit{visitOf("cart", "", "R[a]", steps...)} }

func TestHold(t *testing.T) {
	check(t, []rule{
		{"in part", []string{"HSET o i 9", "HSET h i 7"}, cart(hold("i", 5)), []string{"done, counted, made 2"}, "cart=R[a]200000001  h=i:9,  o=i:9,  own=i:2,"},
		{"more of it", []string{"HSET o i 9", "HSET h i 7", "HSET own i 4"}, cart(hold("i", 5)), []string{"done, counted, made 5"},
			"cart=R[a]500000001  h=i:8,  o=i:9,  own=i:5,"},
		{"loses of it", []string{"HSET o i 3", "HSET h i 6", "HSET own i 4"}, cart(hold("i", 4)), []string{"done, counted, made 1"},
			"cart=R[a]100000001  h=i:3,  o=i:3,  own=i:1,"},
		{"large", []string{"HSET o i 1000000000000000", "HSET h i 1"}, cart(hold("i", 1000000000000000)), []string{"done, counted, made 999999999999999"},
			"cart=R[a]99999999999999900000015  h=i:1000000000000000,  o=i:1000000000000000,  own=i:999999999999999,"},
		{
			"items whose names run into their keys", []string{"HSET o hi 5", "HSET oh i 5"},
			cart(func(p *Plan) {
				p.Hold(StockKeys{"o", "x", "own"}, "hi", 1, 0)
				p.Hold(StockKeys{"oh", "y", "own:h"}, "i", 5, 0)
			}, func(p *Plan) {
				p.Adjust("oh", "z", "i", -5)
				p.Adjust("o", "z", "hi", -5)
			}),
			[]string{"done, counted, made 1/5/0/0/0/0"}, "cart=R[a]1/5/0/0/0/000000011  o=hi:0,  oh=i:0,  own=hi:1,  own:h=i:5,  x=hi:1,  y=i:5,",
		},
	})
}

func TestTakeAdjustUse(t *testing.T) {
	check(t, []rule{
		{"take", []string{"HSET o i 9", "HSET h i 3"}, cart(take("i", 5)), []string{"done, counted, made 4"}, "cart=R[a]400000001  h=i:3,  o=i:4,"},
		{"take held stock", []string{"HSET o i 9", "HSET h i 9", "HSET own i 5"}, cart(take("i", 5)), []string{"done, counted, made 4"},
			"cart=R[a]400000001  h=i:4,  o=i:4,"},
		{"take too much", []string{"HSET o i 9 j 2", "HSET h i 5"}, cart(take("j", 1), take("i", 5)),
			[]string{"short, counted, granted [1 4]"}, "h=i:5,  o=i:9,j:2,"},
		{"up", []string{"HSET o i 9", "HSET h i 2"}, cart(adjust("i", 3)), []string{"done, counted, made 12/2"}, "cart=R[a]12/200000004  h=i:2,  o=i:12,"},
		{"below zero", []string{"HSET o i 9"}, cart(adjust("i", -10)), []string{"short, counted, granted [-9]"}, "o=i:9,"},
		{"use", []string{"HSET u f 2"}, cart(use("f", 1, 4)), []string{"done, counted, made 1"}, "cart=R[a]100000001  u=f:3,"},
		{"use too much", []string{"HSET u f 2"}, cart(use("f", 3, 4)), []string{"short, counted, granted [2]"}, "u=f:2,"},
		{"use above the limit", []string{"HSET u f 6"}, cart(use("f", 1, 4)), []string{"short, counted, granted [0]"}, "u=f:6,"},
		{"all or nothing", []string{"HSET o i 9"}, cart(hold("i", 20), take("i", 2), adjust("i", 1), use("f", 1, 0)),
			[]string{"short, counted, granted [9 2 1 0]"}, "o=i:9,"},
		{"a hold in part refuses nothing", []string{"HSET o i 2 j 9"}, cart(hold("i", 20), take("j", 2), use("f", 1, 1)), []string{"done, counted, made 2/7/1"},
			"cart=R[a]2/7/100000005  h=i:2,  o=i:2,j:7,  own=i:2,  u=f:1,"},
	})
}

// Stock may be sold down to a limit below zero, and no further. An adjustment stops at zero, but one by
// nothing is never short.
func TestBelowZero(t *testing.T) {
	check(t, []rule{
		{"hold", []string{"HSET o i 3", "HSET h i 5"}, cart(holdTo("i", 20, 10)), []string{"done, counted, made 8"},
			"cart=R[a]800000001  h=i:13,  o=i:3,  own=i:8,"},
		{"hold of sold stock", []string{"HSET o i -2", "HSET h i 5", "HSET own i 5"}, cart(holdTo("i", 9, 10)), []string{"done, counted, made 8"},
			"cart=R[a]800000001  h=i:8,  o=i:-2,  own=i:8,"},
		{"take", []string{"HSET o i 3"}, cart(takeTo("i", 5, 10)), []string{"done, counted, made -2"}, "cart=R[a]-200000002  o=i:-2,"},
		{"take all", []string{"HSET o i 3"}, cart(takeTo("i", 13, 10), ifLast), []string{"done, counted, made -10"},
			"cart=R[a]-1000000003  last=1  o=i:-10,"},
		{"take, not the last", []string{"HSET o i 3"}, cart(takeTo("i", 3, 10), ifLast), []string{"done, counted, made 0"}, "cart=R[a]000000001  o=i:0,"},
		{"take too much", []string{"HSET o i -4"}, cart(takeTo("i", 7, 10)), []string{"short, counted, granted [6]"}, "o=i:-4,"},
		{"take beside a hold", []string{"HSET o i 3", "HSET h i 5"}, cart(takeTo("i", 9, 10)), []string{"short, counted, granted [8]"}, "h=i:5,  o=i:3,"},
		{"a limit that was lowered", []string{"HSET o i -4"}, cart(holdTo("i", 1, 3)), []string{"done, counted, made 0"}, "cart=R[a]000000001  o=i:-4,"},
		{"no limit any more", []string{"HSET o i -4"}, cart(take("i", 1)), []string{"short, counted, granted [0]"}, "o=i:-4,"},
		{"the lowest stock", []string{"HSET o i -99999999999999"}, cart(takeTo("i", 1, 100000000000000)), []string{"done, counted, made -100000000000000"},
			"cart=R[a]-10000000000000000000016  o=i:-100000000000000,"},
		{"the lowest stock is read", []string{"HSET o i -100000000000000"}, cart(giveStock("i", 1, 10)), []string{"done, counted, made -99999999999999/1"},
			"cart=R[a]-99999999999999/100000017  o=i:-99999999999999,"},
		{"up, and then by nothing", []string{"HSET o i -2"}, cart(useOf("o", "i", 1, 10), adjust("i", 0)), []string{"done, counted, made 1/-1/0"},
			"cart=R[a]1/-1/000000006  o=i:-1,"},
		{"down", []string{"HSET o i -1"}, cart(adjust("i", -1)), []string{"short, counted, granted [1]"}, "o=i:-1,"},
	})
}

// A use that is given back takes off at most what is there, and refuses nothing.
func TestGiveBack(t *testing.T) {
	check(t, []rule{
		{"one of several", []string{"HSET u f 3"}, cart(giveBack("f", 1, 4)), []string{"done, counted, made 1"}, "cart=R[a]100000001  u=f:2,"},
		{"more than is there", []string{"HSET u f 1"}, cart(giveBack("f", 3, 4)), []string{"done, counted, made 1"}, "cart=R[a]100000001  u=f:0,"},
		{"below zero stays", []string{"HSET u f -2"}, cart(giveBack("f", 1, 4)), []string{"done, counted, made 0"}, "cart=R[a]000000001  u=f:-2,"},
		{"all or nothing", []string{"HSET u f 2"}, cart(giveBack("f", 5, 2), use("g", 1, 0)), []string{"short, counted, granted [2 0]"}, "u=f:2,"},
		{"no number", []string{"HSET u f x"}, cart(giveBack("f", 1, 2)), []string{"broken u"}, "u=f:x,"},
		{"leaves its limit", []string{"HSET u f 4"}, cart(giveBack("f", 1, 4), ifLast), []string{"done, counted, made 1"}, "cart=R[a]100000001  last=1  u=f:3,"},
		{"from above its limit", []string{"HSET u f 6"}, cart(giveBack("f", 3, 4), ifLast), []string{"done, counted, made 3"}, "cart=R[a]300000001  last=1  u=f:3,"},
		{"without a limit", []string{"HSET u f 4"}, cart(giveBack("f", 1, 0), ifLast), []string{"done, counted, made 1"}, "cart=R[a]100000001  u=f:3,"},
	})
}

// Stock that comes back raises the stock on hand at most to the maximum, and refuses nothing. A stock of 17
// digits is read.
func TestReturn(t *testing.T) {
	const maximum = 9_000_000_000_000_000
	check(t, []rule{
		{"all", []string{"HSET o i 3"}, cart(giveStock("i", 4, 10)), []string{"done, counted, made 7/4"}, "cart=R[a]7/400000003  o=i:7,"},
		{"what fits", []string{"HSET o i 8999999999999998"}, cart(giveStock("i", 4, maximum)),
			[]string{"done, counted, made 9000000000000000/2"}, "cart=R[a]9000000000000000/200000018  o=i:9000000000000000,"},
		{"twice", []string{"HSET o i 3"}, cart(giveStock("i", 4, 10), giveStock("i", 4, 10)), []string{"done, counted, made 7/4/10/3"},
			"cart=R[a]7/4/10/300000008  o=i:10,"},
		{"nothing fits", []string{"HSET o i 12345678901234568"}, cart(giveStock("i", 4, maximum)),
			[]string{"done, counted, made 12345678901234568/0"}, "cart=R[a]12345678901234568/000000019  o=i:12345678901234568,"},
		{"17 digits are held", []string{"HSET o i 12345678901234568"}, cart(hold("i", 5)), []string{"done, counted, made 5"},
			"cart=R[a]500000001  h=i:5,  o=i:12345678901234568,  own=i:5,"},
		{"17 digits are lowered", []string{"HSET o i 12345678901234568"}, cart(adjust("i", -12345678901234560)), []string{"done, counted, made 8/0"},
			"cart=R[a]8/000000003  o=i:8,"},
		{"18 digits", []string{"HSET o i 123456789012345678"}, cart(giveStock("i", 4, maximum)), []string{"broken o"}, "o=i:123456789012345678,"},
		{"all or nothing", []string{"HSET o i 9"}, cart(giveStock("i", 5, 10), use("g", 1, 0)), []string{"short, counted, granted [1 0]"}, "o=i:9,"},
	})
}

func TestLastUnit(t *testing.T) {
	const is = "done, counted, made 2"
	check(t, []rule{
		{"use", []string{"HSET u f 1"}, cart(use("f", 2, 3), ifLast), []string{is}, "cart=R[a]200000001  last=1  u=f:3,"},
		{"use, not the last", []string{"HSET u f 1"}, cart(use("f", 2, 4), ifLast), []string{is}, "cart=R[a]200000001  u=f:3,"},
		{"take", []string{"HSET o i 2"}, cart(take("i", 2), ifLast), []string{"done, counted, made 0"}, "cart=R[a]000000001  last=1  o=i:0,"},
		{"take, not the last", []string{"HSET o i 3"}, cart(take("i", 2), ifLast), []string{"done, counted, made 1"}, "cart=R[a]100000001  o=i:1,"},
		{"of any type", []string{"RPUSH last x"}, cart(use("f", 2, 2), ifLast), []string{is}, "cart=R[a]200000001  last=1  u=f:2,"},
	})
}

// No ask is granted short while a hold has expired.
func TestExpiredHold(t *testing.T) {
	given := func(more ...string) []string { return append([]string{"HSET o i 4 j 9"}, more...) }
	const past, future = "ZADD holds 1 x 9999999999999 y", "ZADD holds 9999999999999 y"
	const held = "cart=R[a]400000001  h=i:4,  "
	const kept, ahead = "holds=x:1,y:9.999999999999e+12,  o=i:4,j:9,", "holds=y:9.999999999999e+12,  o=i:4,j:9,"
	check(t, []rule{
		{"expired", given(past), cart(expiries, hold("i", 5)), []string{"short, counted, granted [4], expired"}, kept},
		{"expired, enough", given(past), cart(expiries, hold("i", 4)), []string{"done, counted, made 4"}, held + kept + "  own=i:4,"},
		{"take, expired", given(past), cart(expiries, take("i", 5)), []string{"short, counted, granted [4], expired"}, kept},
		{"one of several", given(past), cart(expiries, hold("j", 5), hold("i", 5), hold("j", 9)), []string{"short, counted, granted [5 4 9], expired"}, kept},
		{"an earlier ask only", given(past), cart(hold("i", 5), expiries, hold("j", 1)), []string{"done, counted, made 4/1"},
			"cart=R[a]4/100000003  h=i:4,j:1,  " + kept + "  own=i:4,j:1,"},
		{"a use has no holds", given(past), cart(expiries, use("f", 2, 1), adjust("i", -5)), []string{"short, counted, granted [1 -4]"}, kept},
	})
}

// A hold expires in the millisecond of its time, as in expire_holds.lua.
func TestHoldExpiresAtItsTime(t *testing.T) {
	r := redistest.Mini(t)
	s := newServer(t, r)
	now := time.UnixMicro(1_790_000_000_123_900)
	for score, want := range map[string]string{
		"1790000000123": "short, counted, granted [0], expired", "1790000000124": "done, counted, made 0",
	} {
		s.reset("ZADD holds " + score + " x")
		r.Mini.SetTime(now)
		if got := show(s.run(cart(expiries, hold("i", 1))...)[0]); got != want {
			t.Errorf("an expiry at %s: %s, want %s", score, got, want)
		}
	}
}
