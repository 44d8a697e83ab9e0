package main

import (
	"flag"
	"fmt"

	"cartd/internal/commandline"
	"cartd/internal/unitcosts"
)

const sizeUsage = "cartd size [--stores N] [--products N] [--stock] [--carts N] [--orders N] [--months N] [--accounts N] [--quotes N] [--requests N]"

// maxPlanned bounds every number of a plan, so that no product of two overflows.
const maxPlanned = 1_000_000_000

func defineSize(fs *flag.FlagSet) func(*call) error {
	p := &unitcosts.Plan{}
	fs.Int64Var(&p.Stores, "stores", 1, "`number` of stores")
	fs.Int64Var(&p.Products, "products", 1_000, "`number` of products of each store")
	fs.BoolVar(&p.Stock, "stock", false, "the stock of the products is tracked")
	fs.Int64Var(&p.Carts, "carts", 100_000, "`number` of carts of all stores that are kept at a time")
	fs.Int64Var(&p.Orders, "orders", 0, "`number` of orders a day of all stores")
	fs.Int64Var(&p.Months, "months", 12, "`number` of months for which orders are kept")
	fs.Int64Var(&p.Accounts, "accounts", 0, "`number` of accounts of all stores")
	fs.Int64Var(&p.Quotes, "quotes", 0, "`number` of quotes of all stores that are kept at a time")
	fs.Int64Var(&p.Requests, "requests", 100, "`number` of requests a second of all stores at the busy hour")
	return func(c *call) error { return runSize(c, p) }
}

// runSize prints how many nodes, masters of Redis and cells a plan needs.
func runSize(c *call, p *unitcosts.Plan) error {
	if err := c.noArguments(sizeUsage); err != nil {
		return err
	}
	for _, given := range []struct {
		flag   string
		n, min int64
	}{{"--stores", p.Stores, 1}, {"--products", p.Products, 0}, {"--carts", p.Carts, 0}, {"--orders", p.Orders, 0}, {"--months", p.Months, 0},
		{"--accounts", p.Accounts, 0}, {"--quotes", p.Quotes, 0}, {"--requests", p.Requests, 0}} {
		if given.n < given.min || given.n > maxPlanned {
			return commandline.Usage("%s needs a number from %d to %d: %s", given.flag, given.min, maxPlanned, sizeUsage)
		}
	}
	size := unitcosts.Table().Of(*p)
	_, err := fmt.Fprintf(c.stdout, "%s\nThe figures are those of docs/scaling.md, of one machine. Measure your own mix: docs/bench.md.\n", size.Text())
	return err
}
