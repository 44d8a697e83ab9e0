package commerce

import (
	"reflect"
	"strings"
	"testing"
)

// fillTexts sets every text below a value to ten bytes, with two elements in each list, and returns
// the number of texts.
func fillTexts(v reflect.Value) (texts int) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("ten bytes!")
		return 1
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			texts += fillTexts(v.Index(i))
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return fillTexts(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				texts += fillTexts(v.Field(i))
			}
		}
	}
	return texts
}

// A new text of a cart or a line that Size omits fails this test.
func TestTheSizeOfACartCountsEveryText(t *testing.T) {
	var c Cart
	texts := fillTexts(reflect.ValueOf(&c).Elem())
	empty := sizeOfFields + sizeOfCheckout + 8*sizeOfEntry + 2*(sizeOfLine+sizeOfConfiguration+10*sizeOfEntry)
	if got, want := c.Size(), empty+10*texts; got != want || texts < 20 {
		t.Errorf("a cart with %d texts has a size of %d; want %d", texts, got, want)
	}
}

func TestCartFits(t *testing.T) {
	sized := func(size int) *Cart {
		c := &Cart{Lines: []Line{{}}}
		c.Lines[0].Name = strings.Repeat("x", size-c.Size())
		return c
	}
	const limit = maxCartBytes
	for _, c := range []struct {
		before, next int
		want         bool
	}{
		{1000, limit, true},
		{1000, limit + 1, false},
		{limit, limit, true},
		{limit, limit + 1, false},
		{limit + 2, limit + 1, true},
		{limit + 1, limit + 1, true},
		{limit + 1, limit + 2, false},
	} {
		if got := sized(c.next).outgrown(sized(c.before)) == 0; got != c.want {
			t.Errorf("from %d to %d bytes: %v, want %v", c.before, c.next, got, c.want)
		}
	}
	if (&Cart{Hold: Hold{Asks: make([]StockAsk, MaxCartItems+1)}}).outgrown(sized(1000)) != MaxCartItems {
		t.Error("a cart with too many stock items fits")
	}
}
