//go:build long

package deploy_test

import (
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// patientStore is a file with the demo store, without limits that a test would meet.
func patientStore(t *testing.T) string {
	t.Helper()
	return storeFile(t, func(map[string]any) {})
}

// storeFile is patientStore with a change to its document.
func storeFile(t *testing.T, change func(document map[string]any)) string {
	t.Helper()
	text, err := os.ReadFile("../cmd/cartd/demo/store.json")
	if err != nil {
		t.Fatal(err)
	}
	var document map[string]any
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	store := document["store"].(map[string]any)
	store["rate_limit_per_minute"] = 10_000_000
	store["policy"].(map[string]any)["max_quantity_per_line"] = 10_000_000
	change(document)
	text, err = json.Marshal(document)
	file := filepath.Join(t.TempDir(), "store.json")
	if err := errorsOf(err, os.WriteFile(file, text, 0o600)); err != nil {
		t.Fatal(err)
	}
	return file
}

// freeAddress is a loopback address that nothing listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// eventually waits until something is so.
func eventually(t *testing.T, what string, isSo func() bool) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(within); !isSo(); <-tick.C {
		if time.Now().After(deadline) {
			t.Fatalf("not within %v: %s", within, what)
		}
	}
}
