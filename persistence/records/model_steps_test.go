package records

import (
	"fmt"
	"strconv"
)

// plan makes a plan: checks that are mostly true, asks, writes.
func (g *generator) plan() []step {
	var steps []step
	for range g.IntN(3) {
		steps = append(steps, g.aCheck())
	}
	if g.chance(50) {
		steps = append(steps, g.asks()...)
	}
	made := 0
	for _, s := range steps {
		if s.makes() {
			made++
		}
		if s.letter == 'a' || s.letter == 'r' {
			made++
		}
	}
	for range g.IntN(4) {
		s := g.aWrite(made)
		if s.makes() {
			made++
		}
		steps = append(steps, s)
	}
	return steps
}

func (g *generator) aCheck() step {
	key := g.pick("k1", "k2", "k3", "n", "r1", "r2", "r3")
	value, _ := g.model.data[key].(text)
	wrong := g.chance(10)
	switch g.IntN(4) {
	case 0:
		s := step{letter: 'g', keys: []string{key}, values: []string{string(value)}}
		if wrong {
			s.values[0] += "x"
		}
		return s
	case 1:
		s := step{letter: 'c', keys: []string{key}, from: 1, to: 24, values: []string{stampOf(string(value))}}
		if wrong {
			s.values[0] += "x"
		}
		return s
	case 2:
		if _, found := g.model.data[key]; found && !wrong {
			key = "none"
		}
		return step{letter: 'n', keys: []string{key}}
	}
	z, _ := g.model.data["z"].(sorted)
	s := step{letter: 'z', keys: []string{"z"}, n: int64(len(z))}
	if wrong {
		s.n++
	}
	return s
}

func (g *generator) asks() []step {
	var steps []step
	if g.chance(60) {
		steps = append(steps, step{letter: 'e', keys: []string{"holds"}})
	}
	for range 1 + g.IntN(4) {
		s := step{item: g.pick("i", "j"), keys: []string{"o", "h", g.pick("own1", "own2")}}
		switch g.IntN(8) {
		case 7:
			s.letter, s.keys, s.n, s.limit = 'r', s.keys[:1], int64(g.IntN(4)), int64(4+g.IntN(20))
		case 0, 1, 2:
			s.letter, s.n, s.limit = 'h', int64(g.IntN(8)), g.limit()
		case 3:
			s.letter, s.n, s.limit = 't', int64(g.IntN(4)), g.limit()
		case 4:
			s.letter, s.keys, s.n = 'a', s.keys[:2], int64(g.IntN(12)-4)
		case 5:
			s.letter, s.keys, s.n, s.limit = 'b', []string{"u"}, int64(g.IntN(4)), int64(g.IntN(6))
		default:
			s.letter, s.keys, s.n, s.limit = 'u', []string{"u"}, int64(g.IntN(4)-1), int64(2+g.IntN(4))
		}
		steps = append(steps, s)
		if (s.letter == 't' || s.letter == 'u' || s.letter == 'b') && g.chance(40) {
			last := step{letter: 'w', command: "SET", keys: []string{g.pick("k1", "k3")}, values: []string{"last"}}
			if g.chance(20) {
				last.keys[0], last.values[0] = testHead, g.newHead()
			}
			steps = append(steps, last)
		}
	}
	return steps
}

// limit is how far the stock of an ask may fall below zero.
func (g *generator) limit() int64 { return int64(g.IntN(2) * g.IntN(12)) }

// aWrite makes a write; made is the number of texts that the plan has made so far.
func (g *generator) aWrite(made int) step {
	write := func(letter byte, command, key string, values ...string) step {
		return step{letter: letter, command: command, keys: []string{key}, values: values}
	}
	key, member, text := g.pick("k1", "k2"), g.pick("a", "b", "c"), strconv.Itoa(g.IntN(9))
	all := []step{
		write('K', "SET", key, text),
		write('K', "SET", key, text, "PX", "3600000"),
		write('K', "SETNX", key, text),
		write('K', "DEL", key),
		write('K', "PEXPIRE", g.pick("k1", "l", "f", "none"), "3600000"),
		write('L', "RPUSH", "l", text),
		write('L', "LTRIM", "l", "-3", "-1"),
		write('H', "HSET", "f", member, text),
		write('H', "HDEL", "f", g.pick("a", "b", "n")),
		write('H', "HINCRBY", "f", g.pick("n", "i"), fmt.Sprint(g.IntN(9)-4)),
		write('S', "SADD", "s", member),
		write('S', "SREM", "s", member),
		write('Z', "ZADD", "z", text, member),
		write('Z', "ZREM", "z", member),
		write('Z', "ZREMRANGEBYSCORE", "z", "-inf", text),
		write('Z', "ZREMRANGEBYRANK", "z", "0", "-3"),
		write('Z', "ZADD", "holds", g.pick("1", "9000000000000", "9000000000000"), member),
		write('Z', "ZREM", "holds", g.pick("a", "b", "c", "x")),
		{letter: '#', keys: []string{"n"}},
	}
	if made > 0 && g.chance(25) {
		s := step{letter: 'p', values: []string{g.pick("", "<")}}
		for range 1 + g.IntN(3) {
			s.placed, s.values = append(s.placed, 1+g.IntN(made)), append(s.values, g.pick("", ">"))
		}
		of := [][2]string{{"SET", "k2"}, {"RPUSH", "l"}, {"SADD", "s"}, {"SETNX", "k1"}}[g.IntN(4)]
		s.command, s.keys = of[0], of[1:]
		return s
	}
	return all[g.IntN(len(all))]
}
