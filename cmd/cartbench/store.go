package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"cartd/bench"
)

// runStore writes the documents of a run's stores.
func runStore(_ context.Context, args []string, stdout, _ io.Writer) error {
	fs := flag.NewFlagSet("store", flag.ContinueOnError)
	stores := fs.Int("stores", 1, "`number` of stores")
	dir := fs.String("out", ".", "`directory` to write bench-store-0000.json and so on to")
	sale := fs.Bool("sale", false, "write the stores of the scenario sale, bench-sale-0000.json and so on: orders must be paid within a minute")
	crawl := fs.Int("crawl", 0, "for the scenario crawl: with the limits that docs/api/limits.md advises for `N` shoppers a minute and --nodes")
	nodes := fs.Int("nodes", 2, "with --crawl: `number` of nodes")
	if err := parse(fs, args, stdout, "cartbench store [flags]"); err != nil {
		return err
	}
	for i := range *stores {
		name, text := "bench-store", bench.StoreDocument
		if *sale {
			name = "bench-sale"
			text = func(i int) []byte { return bench.SaleDocument(i, bench.PayMinutes, true) }
		}
		if *crawl > 0 {
			name = "bench-crawl"
			text = func(i int) []byte { return bench.CrawlDocument(i, *crawl, *nodes) }
		}
		file := filepath.Join(*dir, fmt.Sprintf("%s-%04d.json", name, i))
		if err := os.WriteFile(file, text(i), 0o600); err != nil {
			return err
		}
		fmt.Fprintln(stdout, file)
	}
	return nil
}
