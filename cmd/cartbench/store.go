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
	if err := parse(fs, args, stdout, "cartbench store [flags]"); err != nil {
		return err
	}
	for i := range *stores {
		file := filepath.Join(*dir, fmt.Sprintf("bench-store-%04d.json", i))
		if err := os.WriteFile(file, bench.StoreDocument(i), 0o600); err != nil {
			return err
		}
		fmt.Fprintln(stdout, file)
	}
	return nil
}
