package storefile

import (
	"bytes"
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"

	"cartd/commerce"
)

func exportOf(doc *Document) *Export {
	settings, err := doc.Pages.Settings()
	if err != nil {
		panic(err)
	}
	return &Export{Settings: settings, Keys: doc.Keys, Customers: allOf(doc.Customers, nil)}
}

// allOf yields the customers and then err, unless it is nil.
func allOf(customers []commerce.Customer, err error) iter.Seq2[commerce.Customer, error] {
	return func(yield func(commerce.Customer, error) bool) {
		for _, c := range customers {
			if !yield(c, nil) {
				return
			}
		}
		if err != nil {
			yield(commerce.Customer{}, err)
		}
	}
}

func exported(t *testing.T, e *Export) string {
	t.Helper()
	var out bytes.Buffer
	if err := e.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// An export is the same store. It has no passwords in clear text.
func TestAnExportIsTheSameStore(t *testing.T) {
	for name, text := range map[string]string{"full": full(t), "minimal": minimal} {
		doc := mustParse(t, text)
		first := exported(t, exportOf(doc))
		again := mustParse(t, first)
		for i := range doc.Customers {
			doc.Customers[i].Password = ""
		}
		expect(t, name+": settings", settingsOf(t, again), settingsOf(t, doc))
		expect(t, name+": keys", again.Keys, doc.Keys)
		expect(t, name+": customers", again.Customers, doc.Customers)
		expect(t, name+": exported twice", exported(t, exportOf(again)), first)
		for _, secret := range []string{"demo-storefront-key", "demo-token-ada", `"password"`} {
			if strings.Contains(first, secret) {
				t.Errorf("%s: the export shows %s:\n%s", name, secret, first)
			}
		}
	}
}

var errWrite = errors.New("broken for a test")

// shortWriter fails after n bytes.
type shortWriter struct{ n int }

func (w *shortWriter) Write(p []byte) (int, error) {
	if w.n -= len(p); w.n < 0 {
		return 0, errWrite
	}
	return len(p), nil
}

func TestAFailedExportReturnsAnError(t *testing.T) {
	doc := mustParse(t, full(t))
	whole := len(exported(t, exportOf(doc)))
	for n := 0; n < whole; n += 37 {
		if err := exportOf(doc).Write(&shortWriter{n}); !errors.Is(err, errWrite) {
			t.Fatalf("Write of %d bytes to a disk for %d = %v", whole, n, err)
		}
	}
	e := exportOf(doc)
	e.Customers = allOf(slices.Clip(doc.Customers), errWrite)
	if err := e.Write(&bytes.Buffer{}); !errors.Is(err, errWrite) {
		t.Errorf("Write with customers that cannot be read = %v", err)
	}
}
