package unitcosts

import (
	"fmt"
	"strings"
)

// Begin and End enclose the figures in docs/scaling.md.
const (
	Begin = "<!-- begin unit costs: written by make unit-costs -->\n"
	End   = "<!-- end unit costs -->\n"
)

// Insert puts the figures into the text of the page, between its two lines.
func (c *Costs) Insert(page string) (string, error) {
	before, rest, begins := strings.Cut(page, Begin)
	_, after, ends := strings.Cut(rest, End)
	if !begins || !ends {
		return "", fmt.Errorf("the page lacks the line %q or %q", strings.TrimSpace(Begin), strings.TrimSpace(End))
	}
	return before + Begin + c.Markdown() + End + after, nil
}

// Markdown is the tables of the page.
func (c *Costs) Markdown() string {
	var t strings.Builder
	fmt.Fprintf(&t, "\n%s\n", c.Measured)
	if c.Later != "" {
		fmt.Fprintln(&t, c.Later)
	}
	t.WriteString("CPU is in microseconds a request, of node + Redis.\n\n")
	head, line := "| request |", "| --- |"
	for _, condition := range Conditions {
		head, line = head+" "+condition.Name+" |", line+" --- |"
	}
	t.WriteString(head + "\n" + line + "\n")
	for _, r := range c.Requests {
		t.WriteString("| " + r.About + " |")
		for _, condition := range Conditions {
			t.WriteString(" " + r.cpu(condition.Name) + " |")
		}
		t.WriteString("\n")
	}
	t.WriteString("\n")
	for _, condition := range Conditions {
		fmt.Fprintf(&t, "- *%s*: %s.\n", condition.Name, condition.About)
	}
	t.WriteString("\nBytes a request in Redis. Alone, each request also has an entry of its own in its store's log of requests, in memory for a minute; busy " +
		"ones share entries.\n\n" +
		"| request | memory that stays | append-only file, busy | append-only file, alone |\n| --- | --- | --- | --- |\n")
	for _, r := range c.Requests {
		busy, alone := c.Load(r.Kind, Busy), c.Load(r.Kind, Alone)
		fmt.Fprintf(&t, "| %s | %.0f | %.0f | %.0f |\n", r.About, busy.Memory, busy.File, alone.File)
	}
	t.WriteString("\nBytes of what is stored:\n\n| item | Redis | node |\n| --- | --- | --- |\n")
	for _, item := range c.Items {
		node := "–"
		if item.Node > 0 {
			node = fmt.Sprintf("%.0f", item.Node)
		}
		fmt.Fprintf(&t, "| %s | %.0f | %s |\n", item.Name, item.Redis, node)
	}
	t.WriteString(c.growth())
	return t.String()
}

// cpu is a cell of the table: node + Redis.
func (r *Request) cpu(condition string) string {
	for _, l := range r.Loads {
		if l.Name == condition {
			return fmt.Sprintf("%.0f + %.0f", l.Node, l.Redis)
		}
	}
	return "–"
}

// Growth are the plans of the page's last table, each store with 200 tracked products.
var Growth = []Plan{
	{Stores: 1, Products: 200, Stock: true, Carts: 100_000, Requests: 1_000},
	{Stores: 100, Products: 200, Stock: true, Carts: 1_000_000, Requests: 10_000},
	{Stores: 1_000, Products: 200, Stock: true, Carts: 10_000_000, Requests: 50_000},
	{Stores: 10_000, Products: 200, Stock: true, Carts: 50_000_000, Requests: 200_000},
	{Stores: 100_000, Products: 200, Stock: true, Carts: 250_000_000, Requests: 1_000_000},
}

func (c *Costs) growth() string {
	var t strings.Builder
	t.WriteString("\n| stores | requests/s | carts | cores of nodes busy | nodes | " +
		"cores of Redis busy | masters | cells | Redis's data | file in a busy hour |\n" +
		"| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n")
	for _, p := range Growth {
		s := c.Of(p)
		fmt.Fprintf(&t, "| %s | %s | %s | %.1f | %d | %.2f | %d | %d | %s | %s |\n", number(p.Stores), number(p.Requests), number(p.Carts),
			s.NodeCores, s.Nodes, s.RedisCores, s.Masters, s.Cells, bytes(s.RedisMemory), bytes(s.FileHour))
	}
	return t.String() + "\n"
}
