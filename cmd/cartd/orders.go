package main

import (
	"bufio"
	"errors"
	"flag"

	"cartd/commerce"
	"cartd/httpserver"
	"cartd/internal/commandline"
)

const ordersUsage = "cartd orders --redis URL --store ID [--since N]"

func defineOrders(fs *flag.FlagSet) func(*call) error {
	var from storeFlags
	from.flags(fs)
	since := fs.Int64("since", 0, "write only the orders after number `N`")
	return func(c *call) error { return runOrders(c, &from, *since) }
}

// runOrders writes a store's orders, also those of guests, as JSON lines in the order of their
// numbers.
func runOrders(c *call, from *storeFlags, since int64) error {
	id, err := from.id(c, ordersUsage)
	if err != nil {
		return err
	}
	if since < 0 {
		return commandline.Usage("--since must be the number of an order, or 0: %s", ordersUsage)
	}
	db, err := from.open()
	if err != nil {
		return err
	}
	defer db.Close()
	buffered := bufio.NewWriterSize(c.stdout, 1<<16)
	lines := commandline.PrintableLines{To: buffered}
	var line []byte
	err = db.EachOrder(id, since, func(o *commerce.Order) error {
		line = append(httpserver.AppendOrder(line[:0], o), '\n')
		_, err := lines.Write(line)
		return err
	})
	return errors.Join(err, buffered.Flush())
}
