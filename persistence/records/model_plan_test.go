package records

import (
	"slices"
	"strconv"
	"strings"
)

// step is one step of a plan, for the model.
type step struct {
	letter   byte // as in write.lua
	keys     []string
	command  string
	values   []string // of a write; the compared ones of a check; prefix and suffixes of a place
	placed   []int    // the texts of a place
	item     string   // or the field
	n, limit int64
	from, to int
}

func (s step) isCheck() bool { return strings.IndexByte("cgnz", s.letter) >= 0 }
func (s step) isAsk() bool   { return strings.IndexByte("ehtarubw", s.letter) >= 0 }
func (s step) makes() bool   { return strings.IndexByte("htarub#", s.letter) >= 0 }

// addTo adds the step to a plan.
func (s step) addTo(p *Plan) {
	key := s.keys[0]
	switch s.letter {
	case 'c':
		p.CheckBytes(key, s.from, s.to, s.values[0])
	case 'g':
		p.CheckValue(key, s.values[0])
	case 'n':
		p.CheckAbsent(key)
	case 'z':
		p.CheckSize(key, int(s.n))
	case 'e':
		p.Expiries(key)
	case 'h':
		p.Hold(StockKeys{key, s.keys[1], s.keys[2]}, s.item, s.n, s.limit)
	case 't':
		p.Take(StockKeys{key, s.keys[1], s.keys[2]}, s.item, s.n, s.limit)
	case 'a':
		p.Adjust(key, s.keys[1], s.item, s.n)
	case 'r':
		p.Return(key, s.item, s.n, s.limit)
	case 'u':
		p.Use(key, s.item, s.n, s.limit)
	case 'b':
		p.GiveBack(key, s.item, s.n, s.limit)
	case 'w':
		p.IfLast(s.command, key, s.values[0])
	case '#':
		p.Number(key)
	case 'p':
		var texts []Placed
		for i, made := range s.placed {
			texts = append(texts, Placed{made, s.values[1+i]})
		}
		p.Place(s.command, key, s.values[0], texts...)
	default:
		values := make([]any, len(s.values))
		for i := range values {
			values[i] = s.values[i]
		}
		p.write(s.letter, s.command, key, values)
	}
}

// check reports whether a check is true, and the value that a conflict returns for its key.
func (s step) check(d database) (bool, any) {
	if s.letter == 'z' {
		members := typed[sorted](d, s.keys[0]).members()
		values := []any{}
		for _, member := range members[:min(32, len(members))] {
			values = append(values, member)
		}
		return len(members) == int(s.n), values
	}
	_, found := d[s.keys[0]]
	value := string(typed[text](d, s.keys[0]))
	switch s.letter {
	case 'n':
		return !found, value
	case 'g':
		return value == s.values[0], value
	}
	from, to := min(s.from, len(value)), min(s.to+1, len(value))
	return value[from:to] == s.values[0], value
}

// planRun is the state of a plan that is carried out.
type planRun struct {
	*model
	expiries         string
	granted          []int64
	made             []string
	hard, soft, last bool // an ask refuses the plan; an ask for stock is short; the newest ask granted the last unit
}

// ask carries out an ask for as much as can be granted.
func (r *planRun) ask(s step) {
	key := s.keys[0]
	var can int64
	switch s.letter {
	case 'e':
		r.expiries = key
		return
	case 'w':
		if r.last {
			r.model.write(key, text(s.values[0]))
			r.mortal[key] = false
		}
		return
	case 'u':
		used := r.data.field(key, s.item)
		can = min(s.n, max(0, s.limit-used))
		r.set(key, s.item, used+can)
		r.last = can > 0 && used+can == s.limit
		r.made = append(r.made, strconv.FormatInt(can, 10))
	case 'b':
		used := r.data.field(key, s.item)
		if can = min(s.n, max(0, used)); can > 0 {
			r.set(key, s.item, used-can)
		}
		r.last = used >= s.limit && used-can < s.limit
		r.made = append(r.made, strconv.FormatInt(can, 10))
	case 'r':
		onHand := r.data.field(key, s.item)
		if can = min(s.n, max(0, s.limit-onHand)); can > 0 {
			r.set(key, s.item, onHand+can)
		}
		r.made = append(r.made, strconv.FormatInt(onHand+can, 10), strconv.FormatInt(can, 10))
	case 'a':
		onHand, held := r.data.field(key, s.item), r.data.field(s.keys[1], s.item)
		if can = max(s.n, -onHand); s.n == 0 {
			can = 0
		}
		r.set(key, s.item, onHand+can)
		r.made = append(r.made, strconv.FormatInt(onHand+can, 10), strconv.FormatInt(held, 10))
	default:
		onHand, held, own := r.data.field(key, s.item), r.data.field(s.keys[1], s.item), r.data.field(s.keys[2], s.item)
		can = min(s.n, max(0, onHand+s.limit-(held-own)))
		keeps := can
		if s.letter == 't' {
			keeps = 0
			r.set(key, s.item, onHand-can)
			r.last = can > 0 && onHand+s.limit == can
		}
		if keeps != own {
			r.set(s.keys[1], s.item, held-own+keeps)
		}
		if r.set(s.keys[2], s.item, keeps); keeps == 0 {
			r.remove(s.keys[2], s.item)
		}
		made := can
		if s.letter == 't' {
			made = onHand - can
		}
		r.made = append(r.made, strconv.FormatInt(made, 10))
		r.soft = r.soft || r.expiries != "" && can < s.n
	}
	r.granted = append(r.granted, can)
	r.hard = r.hard || s.letter != 'h' && s.letter != 'b' && s.letter != 'r' && can != s.n
}

func (r *planRun) set(key, field string, n int64) {
	h := r.data.hashOf(key)
	h[field] = strconv.FormatInt(n, 10)
	r.data[key] = h
}

func (r *planRun) remove(key, field string) {
	h := r.data.hashOf(key)
	delete(h, field)
	r.model.write(key, h)
}

// expired reports whether an ask for stock is short while a hold has expired.
func (r *planRun) expired() bool {
	if !r.soft {
		return false
	}
	for _, at := range typed[sorted](r.data, r.expiries) {
		if at <= float64(r.now/1000) {
			return true
		}
	}
	return false
}

// write carries out a write.
func (r *planRun) write(s step) {
	key, value := s.keys[0], ""
	if s.letter == 'p' {
		value = s.values[0]
		for i, made := range s.placed {
			value += r.made[made-1] + s.values[1+i]
		}
	} else if len(s.values) > 0 {
		value = s.values[0]
	}
	switch s.command {
	case "":
		n := number(key, string(typed[text](r.data, key)), r.data[key] != nil) + 1
		r.made = append(r.made, strconv.FormatInt(n, 10))
		r.data[key] = text(r.made[len(r.made)-1])
	case "SET":
		r.model.write(key, text(value))
		r.mortal[key] = len(s.values) > 1 && s.values[1] == "PX"
	case "SETNX":
		if r.data[key] == nil {
			r.data[key] = text(value)
		}
	case "DEL":
		r.model.write(key, nil)
	case "PEXPIRE":
		r.mortal[key] = r.data[key] != nil
	case "RPUSH":
		r.model.write(key, append(typed[list](r.data, key), value))
	case "LTRIM":
		l := typed[list](r.data, key)
		r.model.write(key, l[max(0, len(l)-3):]) // LTRIM -3 -1
	case "SADD":
		members := typed[set](r.data, key)
		if members == nil {
			members = set{}
		}
		members[value] = true
		r.data[key] = members
	case "SREM":
		members := typed[set](r.data, key)
		delete(members, value)
		r.model.write(key, members)
	default:
		r.writeFields(s, key, value)
	}
}

// writeFields carries out a write of a hash or a sorted set.
func (r *planRun) writeFields(s step, key, value string) {
	if s.letter == 'H' {
		switch s.command {
		case "HSET":
			h := r.data.hashOf(key)
			h[value] = s.values[1]
			r.data[key] = h
		case "HDEL":
			r.data.hashOf(key)
			r.remove(key, value)
		case "HINCRBY":
			by, _ := strconv.ParseInt(s.values[1], 10, 64)
			r.set(key, value, r.data.field(key, value)+by)
		}
		return
	}
	z := typed[sorted](r.data, key)
	if z == nil {
		z = sorted{}
	}
	members := z.members()
	switch s.command {
	case "ZADD":
		score, _ := strconv.ParseFloat(value, 64)
		z[s.values[1]] = score
	case "ZREM":
		delete(z, value)
	case "ZREMRANGEBYSCORE": // -inf to a score
		end, _ := strconv.ParseFloat(s.values[1], 64)
		members = slices.DeleteFunc(members, func(m string) bool { return z[m] > end })
		fallthrough
	case "ZREMRANGEBYRANK": // 0 -3: all but two
		if s.command == "ZREMRANGEBYRANK" {
			members = members[:max(0, len(members)-2)]
		}
		for _, member := range members {
			delete(z, member)
		}
	}
	r.model.write(key, z)
}
