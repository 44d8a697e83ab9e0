package records

import (
	"strconv"
	"strings"
)

// Plan is the part of a visit beside its record: checks, then asks, then writes, in the form of
// write.lua. Its methods panic if steps are added in another order, or if the script cannot run
// a step. The zero value is empty.
type Plan struct {
	steps  []byte
	keys   []string
	values []any
	// checks and asks are their numbers, made that of the texts that asks and numbers make.
	checks, asks, made int
}

// The letters of steps. Every step that is no check and no ask is a write.
const (
	checkBytes, checkValue, checkAbsent, checkSize             = 'c', 'g', 'n', 'z'
	askExpiries, askHold, askTake, askAdjust, askReturn        = 'e', 'h', 't', 'a', 'r'
	askUse, askGiveBack, askWrite                              = 'u', 'b', 'w'
	writesAny, writesList, writesHash, writesSet, writesSorted = 'K', 'L', 'H', 'S', 'Z'
	writesNumber, writesPlace                                  = '#', 'p'
)

// named replaces the names of letters in write.lua by their numbers: local variables of Lua would
// make it slower.
var named = func() *strings.Replacer {
	var pairs []string
	for name, letter := range map[string]int{
		"CHECK_BYTES": checkBytes, "CHECK_VALUE": checkValue, "CHECK_ABSENT": checkAbsent, "CHECK_SIZE": checkSize,
		"ASK_EXPIRIES": askExpiries, "ASK_HOLD": askHold, "ASK_TAKE": askTake, "ASK_ADJUST": askAdjust, "ASK_RETURN": askReturn, "ASK_USE": askUse,
		"ASK_GIVE_BACK": askGiveBack, "ASK_WRITE": askWrite,
		"WRITE_LIST": writesList, "WRITE_HASH": writesHash, "WRITE_SET": writesSet, "WRITE_SORTED": writesSorted,
		"WRITE_NUMBER": writesNumber, "WRITE_PLACE": writesPlace,
	} {
		pairs = append(pairs, name, strconv.Itoa(letter))
	}
	return strings.NewReplacer(pairs...)
}()

// maxValues is the max number of a write's values, with its command.
const maxValues = 40

// CheckBytes adds a comparison of a key's bytes from…to.
func (p *Plan) CheckBytes(key string, from, to int, bytes string) {
	p.add(checkBytes, key, strconv.Itoa(from), strconv.Itoa(to), bytes)
}

// CheckValue adds a comparison of a key's whole value; empty means that the key does not exist.
func (p *Plan) CheckValue(key, value string) { p.add(checkValue, key, value) }

// CheckAbsent adds a check that a key does not exist.
func (p *Plan) CheckAbsent(key string) { p.add(checkAbsent, key) }

// CheckSize adds a comparison of a sorted set's number of members.
func (p *Plan) CheckSize(key string, members int) { p.add(checkSize, key, strconv.Itoa(members)) }

// StockKeys are the hashes of stock: on hand, held over all carts, held by the visit's own
// cart.
type StockKeys struct{ OnHand, Held, Own string }

// Expiries names the sorted set of holds' expiries. The asks that follow are not granted short
// while a hold has expired.
func (p *Plan) Expiries(key string) { p.add(askExpiries, key) }

// Hold asks to hold a quantity of an item, in whole or in part. The stock on hand may fall below zero by a
// limit.
func (p *Plan) Hold(k StockKeys, item string, millionths, limit int64) {
	p.stock(askHold, k, item, millionths, limit)
}

// Take asks to remove a quantity of an item from the stock, all or nothing, with the limit of Hold. It makes
// the number that stays on hand.
func (p *Plan) Take(k StockKeys, item string, millionths, limit int64) {
	p.stock(askTake, k, item, millionths, limit)
}

func (p *Plan) stock(step byte, k StockKeys, item string, millionths, limit int64) {
	p.made++
	p.keys = append(p.keys, k.OnHand, k.Held)
	p.add(step, k.Own, item, strconv.FormatInt(millionths, 10), strconv.FormatInt(limit, 10))
}

// Adjust asks to change an item's stock on hand, not below zero. By 0 it is never short.
func (p *Plan) Adjust(onHand, held, item string, by int64) {
	p.made += 2
	p.keys = append(p.keys, onHand)
	p.add(askAdjust, held, item, strconv.FormatInt(by, 10))
}

// Return raises an item's stock on hand, at most to a maximum. It is never short. It makes the stock on
// hand and what has come back.
func (p *Plan) Return(onHand, item string, millionths, maximum int64) {
	p.made += 2
	p.add(askReturn, onHand, item, strconv.FormatInt(millionths, 10), strconv.FormatInt(maximum, 10))
}

// Raise raises a field of a hash of counters to at least n. It is never short. It makes the field's
// value, and by how much it was raised.
func (p *Plan) Raise(counters, field string, n int64) { p.Return(counters, field, n, n) }

// Use asks to raise a field of a hash of counters, not above a limit.
func (p *Plan) Use(counters, field string, n, limit int64) {
	p.made++
	p.add(askUse, counters, field, strconv.FormatInt(n, 10), strconv.FormatInt(limit, 10))
}

// GiveBack lowers a field of a hash of counters by n, but not below zero. It is never short.
func (p *Plan) GiveBack(counters, field string, n, limit int64) {
	p.made++
	p.add(askGiveBack, counters, field, strconv.FormatInt(n, 10), strconv.FormatInt(limit, 10))
}

// IfLast writes a value if the previous ask, a Take or a Use, takes the last unit; after a
// GiveBack, if the counter falls below its limit. The command is one for keys of any type.
func (p *Plan) IfLast(command, key, value string) {
	if last := len(p.steps) - 1; last < 0 || strings.IndexByte("tub", p.steps[last]) < 0 {
		panic("records: IfLast without an ask")
	}
	p.add(askWrite, key, command, value)
}

// Write runs a command on a key of any type (SET, SETNX, DEL, PEXPIRE). List, Hash, Set and
// Sorted run one on a key of their type. A key of another type is broken.
func (p *Plan) Write(command, key string, values ...any) { p.write(writesAny, command, key, values) }
func (p *Plan) List(command, key string, values ...any)  { p.write(writesList, command, key, values) }
func (p *Plan) Hash(command, key string, values ...any)  { p.write(writesHash, command, key, values) }
func (p *Plan) Set(command, key string, values ...any)   { p.write(writesSet, command, key, values) }
func (p *Plan) Sorted(command, key string, values ...any) {
	p.write(writesSorted, command, key, values)
}

func (p *Plan) write(step byte, command, key string, values []any) {
	if len(values) >= maxValues {
		panic("records: too many values in a write")
	}
	p.steps = append(p.steps, step, '0'+byte(len(values)+1))
	p.keys = append(p.keys, key)
	p.values = append(append(p.values, command), values...)
}

// Number raises a counter by one.
func (p *Plan) Number(key string) {
	p.made++
	p.add(writesNumber, key)
}

// Bytes is the length of the texts that the plan has so far.
func (p *Plan) Bytes() (n int) {
	for _, value := range p.values {
		switch value := value.(type) {
		case string:
			n += len(value)
		case []byte:
			n += len(value)
		}
	}
	return n
}

// Checks is the number of checks so far: the index of the next one among the values that a visit finds. Asks is the number of asks.
func (p *Plan) Checks() int { return p.checks }
func (p *Plan) Asks() int   { return p.asks }

// Made is the number of texts that the plan makes so far: one for each ask and number, two for
// an adjustment. Directly after a Number it is the n that Place needs for that number.
func (p *Plan) Made() int { return p.made }

// Placed is a text that the plan makes, from 1, and the text that follows it.
type Placed struct {
	Made   int
	Suffix string
}

// Place writes prefix, then each made text with its suffix, as one text. The command is RPUSH, SADD or one
// for keys of any type.
func (p *Plan) Place(command, key, prefix string, texts ...Placed) {
	values := []any{command, prefix}
	for i, text := range texts {
		if text.Made < 1 || text.Made > p.made {
			panic("records: Place of a text that the plan does not make")
		}
		if i > 0 {
			p.steps = append(p.steps, writesPlace)
		}
		values = append(values, strconv.Itoa(text.Made), text.Suffix)
	}
	p.add(writesPlace, key, values...)
	kind := byte(writesAny)
	switch command {
	case "RPUSH":
		kind = writesList
	case "SADD":
		kind = writesSet
	}
	p.steps = append(p.steps, kind)
}

func (p *Plan) add(step byte, key string, values ...any) {
	if n := len(p.steps); n > 0 && part(p.steps[n-1]) > part(step) {
		panic("records: step " + string(step) + " of a plan is added too late")
	}
	switch part(step) {
	case 0:
		p.checks++
	case 1:
		p.asks++
	}
	p.steps = append(p.steps, step)
	p.keys = append(p.keys, key)
	p.values = append(p.values, values...)
}

// part returns 0 for a check, 1 for an ask, 2 for a write. A step's last byte is its letter, or
// a byte that is no letter of a check or an ask.
func part(step byte) int {
	switch step {
	case checkBytes, checkValue, checkAbsent, checkSize:
		return 0
	case askExpiries, askHold, askTake, askAdjust, askReturn, askUse, askGiveBack, askWrite:
		return 1
	}
	return 2
}

// Empty reports whether the plan has no step.
func (p *Plan) Empty() bool { return len(p.steps) == 0 }

// GrantShort removes Expiries: asks are granted short although holds have expired.
func (p *Plan) GrantShort() {
	for i, key := 0, 0; i < len(p.steps); i++ {
		switch p.steps[i] {
		case askExpiries:
			p.steps = append(p.steps[:i:i], p.steps[i+1:]...)
			p.keys = append(p.keys[:key:key], p.keys[key+1:]...)
			return
		case checkBytes, checkValue, checkAbsent, checkSize:
			key++
		default:
			return
		}
	}
}

// IndexEntry is an entry of a record in a sorted set of its store, which can be made of the record anew.
type IndexEntry struct{ Key, Member, Score string }

// Names reports whether two entries are the same, whatever their scores.
func (e IndexEntry) Names(other IndexEntry) bool {
	return e.Key == other.Key && e.Member == other.Member
}

// Add adds the entry to its sorted set, Remove removes it.
func (e IndexEntry) Add(p *Plan)    { p.Sorted("ZADD", e.Key, e.Score, e.Member) }
func (e IndexEntry) Remove(p *Plan) { p.Sorted("ZREM", e.Key, e.Member) }
