package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// A file of customers' data is for its owner only, and is never written over.
func TestWriteNewFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "orders")
	none := func(io.Writer) error { return nil }
	if err := writeNewFile(name, none); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the mode is %v (%v), want 0600", info.Mode(), err)
	}
	if err := writeNewFile(name, none); !errors.Is(err, fs.ErrExist) {
		t.Errorf("again: %v", err)
	}
}
