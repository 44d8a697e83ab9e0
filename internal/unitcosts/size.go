package unitcosts

import (
	"fmt"
	"math"
	"strings"
)

// Plan is what a deployment has to bear.
type Plan struct {
	Stores int64
	// Products is the number of products of each store. Stock is true if their stock is tracked.
	Products int64
	Stock    bool
	// Carts is the number of carts of all stores that are kept at a time, those of the last 30 days if
	// guests' carts live so long.
	Carts int64
	// Orders is the number of orders a day of all stores, Months how long they are kept in Redis.
	Orders, Months int64
	// Accounts is the number of accounts of all stores, Quotes that of quotes that are kept at a time.
	Accounts, Quotes int64
	// Requests is the number of requests a second of all stores at the busy hour.
	Requests int64
}

// Mix is the share of each kind of request in per cent: a storefront's busy hour. The shares of kinds
// that write are high, so that the result is on the safe side.
var Mix = []struct {
	Kind  string
	Share float64
}{
	{"read", 35}, {"product", 20}, {"product_list", 10}, {"add", 15}, {"change", 8}, {"create", 7}, {"checkout", 3}, {"pay", 2},
}

// What a plan keeps free, and how large its parts are.
const (
	maxUse     = 0.5 // of a core, at the busy hour
	nodeCores  = 2
	resident   = 1 << 30 // the default of --resident
	maxMasters = 6       // of a cell
	minMasters = 3       // of a cell with more than one: they vote for the promotion of a replica
	masterData = 16 << 30
	cellStores = 10_000 // of a cell
	manyStores = 2      // from here on requests of several stores share few trips
	nodeUnit   = 256 << 20

	daysOfMonth = 365.0 / 12
	salesDays   = 40 // for which a store keeps its sales
	salesHours  = 24
)

// Size is the result of the arithmetic for a plan.
type Size struct {
	Plan
	NodeCores, RedisCores float64 // busy at the busy hour
	// RedisMemory is in bytes. MemoryHour is what the busy hour adds to it, FileHour what the append-only
	// file grows by in that hour.
	RedisMemory, MemoryHour, FileHour float64
	// OrderMemory is the part of RedisMemory that orders take.
	OrderMemory float64
	// MerchantMemory is the part of RedisMemory that accounts, quotes and the sales of the last days take.
	MerchantMemory float64
	// Nodes, each of two cores and NodeMemory bytes, one of which may fail.
	Nodes      int
	NodeMemory float64
	// Masters of Redis in all Cells. A store uses one master at most.
	Masters, Cells int
}

// Of computes a plan's size.
func (c *Costs) Of(p Plan) Size {
	s := Size{Plan: p}
	condition := Busy
	if p.Stores >= manyStores {
		condition = Many
	}
	for _, m := range Mix {
		rate := float64(p.Requests) * m.Share / 100
		if p.Stock && (m.Kind == "add" || m.Kind == "checkout") {
			m.Kind += "_tracked"
		}
		cost := c.Load(m.Kind, condition)
		s.NodeCores += rate * cost.Node / 1e6
		s.RedisCores += rate * cost.Redis / 1e6
		s.FileHour += rate * c.Load(m.Kind, Alone).File * 3600
		s.MemoryHour += rate * c.Load(m.Kind, Busy).Memory * 3600
	}
	product, cart := c.item(Product), c.item(Cart)
	if p.Stock {
		product.Redis, cart.Redis = c.item(TrackedProduct).Redis, c.item(TrackedCart).Redis
	}
	// An order is what a checkout and a payment leave behind.
	order := c.Load("checkout", Busy).Memory + c.Load("pay", Busy).Memory
	s.OrderMemory = float64(p.Orders) * float64(p.Months) * daysOfMonth * order
	// Each store has a day of sales with as many hours as orders came in.
	sales := salesDays * c.item(SalesDay).Redis * min(float64(p.Stores), float64(p.Orders)/salesHours)
	s.MerchantMemory = float64(p.Accounts)*c.item(Account).Redis + float64(p.Quotes)*c.item(Quote).Redis + sales
	window := float64(p.Requests) * 60 * c.item(LogEntry).Redis // the log keeps a minute
	s.RedisMemory = float64(p.Carts)*cart.Redis + float64(p.Stores*p.Products)*product.Redis + window + s.OrderMemory + s.MerchantMemory
	s.Masters = max(1, ceil(s.RedisCores/maxUse), ceil(s.RedisMemory/masterData))
	s.Cells = max(1, (s.Masters+maxMasters-1)/maxMasters, int((p.Stores+cellStores-1)/cellStores))
	if s.Masters = max(s.Masters, s.Cells); s.Masters > s.Cells {
		s.Masters = max(s.Masters, minMasters*s.Cells)
	}
	s.Nodes = max(ceil(s.NodeCores/maxUse/nodeCores), s.Cells) + s.Cells // one of each cell may fail
	s.NodeMemory = 2*resident + 2*float64(p.Stores*p.Products)/float64(s.Cells)*product.Node
	s.NodeMemory = math.Round(s.NodeMemory/nodeUnit) * nodeUnit
	return s
}

func ceil(f float64) int { return int(math.Ceil(f)) }

// Text is the size in lines for an operator.
func (s *Size) Text() string {
	var t strings.Builder
	tracked := ""
	if s.Stock {
		tracked = ", their stock tracked"
	}
	fmt.Fprintf(&t, "%s of %s products each%s; %s carts; %s requests a second at the busy hour\n\n",
		count(s.Stores, "store"), number(s.Products), tracked, number(s.Carts), number(s.Requests))
	row := func(name, format string, args ...any) {
		fmt.Fprintf(&t, "%-22s %s\n", name, fmt.Sprintf(format, args...))
	}
	row("CPU of nodes", "%.1f cores busy", s.NodeCores)
	row("nodes", "%d of %d cores and %s of memory each; one of each cell may fail", s.Nodes, nodeCores, bytes(s.NodeMemory))
	row("CPU of Redis", "%.2f cores busy; a master has one", s.RedisCores)
	row("Redis", "%s in %s, each at most half busy, with at most %s of data; each with a replica",
		count(int64(s.Masters), "master"), count(int64(s.Cells), "cell"), bytes(masterData))
	if int64(s.Masters) > s.Stores {
		row("", "a store uses one master at most: split the stores into %s or more", number(int64(s.Masters)))
	}
	row("memory of Redis", "%s of data; plan %s, for a rewrite of the file may need as much again", bytes(s.RedisMemory), bytes(2*s.RedisMemory))
	if s.OrderMemory > 0 {
		row("", "of it %s of orders: %s a day, kept for %s", bytes(s.OrderMemory), number(s.Orders), count(s.Months, "month"))
	}
	if s.Accounts+s.Quotes > 0 {
		row("", "of it %s of accounts (%s), quotes (%s) and the sales of %d days", bytes(s.MerchantMemory), number(s.Accounts), number(s.Quotes), salesDays)
	}
	row("", "a busy hour adds %s: new carts until they expire, orders for good", bytes(s.MemoryHour))
	row("append-only file", "%s in a busy hour, until it is rewritten", bytes(s.FileHour))
	return t.String()
}

// count is a number with its noun.
func count(n int64, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return number(n) + " " + noun
}

// number writes a number in groups of three.
func number(n int64) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// bytes writes bytes in the greatest unit that fits.
func bytes(b float64) string {
	for _, unit := range []struct {
		size float64
		name string
	}{{1 << 40, "TiB"}, {1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}} {
		if b >= unit.size {
			return fmt.Sprintf("%.3g %s", b/unit.size, unit.name)
		}
	}
	return fmt.Sprintf("%.0f B", b)
}
