//go:build long

package convert

import (
	"strings"
	"testing"
	"time"
)

// 30,000,000 empty cells take less than three seconds.
func TestLongEmptyCells(t *testing.T) {
	const cells = 30_000_000
	for _, table := range []string{
		"product,price,a\nmug,1.00,x\n" + strings.Repeat(strings.Repeat(",", 999)+"\n", cells/1000),
		"product,price" + strings.Repeat(",", cells) + "\nmug,1.00\n",
		"product,price\nmug,1.00\n" + strings.Repeat("\"\",\"\"\n", cells/2),
	} {
		began := time.Now()
		if err := New(shop).CSV("t.csv", []byte(table)); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took > 3*time.Second {
			t.Errorf("%.20q…: %v for %d empty cells", table, took, cells)
		} else {
			t.Logf("%v", took)
		}
	}
}
