package main

import (
	"bufio"
	"errors"
	"flag"
	"io"

	"cartd/commerce"
	"cartd/httpserver"
)

const ordersUsage = "cartd orders --redis URL --store ID [--since N]"

// runOrders writes a store's orders as JSON lines in the order of their numbers, guests' too.
func runOrders(args []string, stdout, stderr io.Writer) error {
	var config adminConfig
	var store string
	var since int64
	flags := flag.NewFlagSet("orders", flag.ContinueOnError)
	config.flags(flags)
	flags.StringVar(&store, "store", "", "`ID` of the store")
	flags.Int64Var(&since, "since", 0, "leave out the orders up to number `N`")
	if err := parseFlags(flags, args, stdout, ordersUsage); err != nil {
		return err
	}
	id, ok := commerce.ParseID(store)
	if !ok || flags.NArg() > 0 {
		return errors.New("--store must name the store's id: " + ordersUsage)
	}
	if since < 0 {
		return errors.New("--since must be the number of an order, or 0: " + ordersUsage)
	}
	db, err := config.open()
	if err != nil {
		return err
	}
	defer db.Close()
	buffered := bufio.NewWriterSize(stdout, 1<<16)
	var line []byte
	err = db.EachOrder(id, since, func(o *commerce.Order) error {
		line = append(httpserver.AppendOrder(line[:0], o), '\n')
		_, err := buffered.Write(line)
		return err
	})
	return errors.Join(err, buffered.Flush())
}
