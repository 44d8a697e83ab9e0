package strictjson

import (
	"bytes"
	"encoding/json"
	"testing"
)

const lineAdd = `{"product_id":"5b0c3cde-94a8-4a39-b7a3-0a2b40c8d4d0","variant_id":null,"quantity":2.5,"configuration":{"dimensions":{"width":1200},"choices":["linen"]}}`

// readLineAdd reads the members that a request decoder reads and returns their total length.
func readLineAdd(data []byte) int {
	v, err := Parse(data)
	if err != nil {
		return 0
	}
	product, _ := v.Get("product_id")
	quantity, _ := v.Get("quantity")
	configuration, _ := v.Get("configuration")
	choices, _ := configuration.Get("choices")
	return len(product) + len(quantity) + len(choices)
}

func BenchmarkLineAdd(b *testing.B) {
	data := []byte(lineAdd)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if readLineAdd(data) == 0 {
			b.Fatal("not read")
		}
	}
}

func largeText() []byte {
	var text bytes.Buffer
	text.WriteByte('[')
	for i := range 10_000 {
		if i > 0 {
			text.WriteByte(',')
		}
		text.WriteString(sample)
	}
	text.WriteByte(']')
	return text.Bytes()
}

func BenchmarkParseLarge(b *testing.B) {
	data := largeText()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := Parse(data); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkValidLarge measures encoding/json's validation of the same text, for comparison.
func BenchmarkValidLarge(b *testing.B) {
	data := largeText()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if !json.Valid(data) {
			b.Fatal("not valid")
		}
	}
}
