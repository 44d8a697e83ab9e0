package httpserver

import (
	"strings"
	"testing"

	"github.com/valyala/fasthttp"

	"cartd/commerce"
	"cartd/engine"
)

// benchEngine answers at once and keeps nothing.
type benchEngine struct {
	*fakeEngine
	admission engine.Facts
	reply     engine.Reply
}

func (e benchEngine) Admit(r *engine.Request) error {
	r.Facts = e.admission
	return nil
}
func (e benchEngine) ReadCart(r *engine.Request) (engine.Reply, error) {
	reply := e.reply
	reply.Facts = &r.Facts
	return reply, nil
}
func (e benchEngine) ChangeCart(*engine.Request) (engine.Reply, error) {
	return e.reply, nil
}

// All of this package, from the parsed request to the answer's bytes, without an engine.
func benchmarkServe(b *testing.B, visitor commerce.Visitor, method, path, body string) {
	_, s, _ := threeLines()
	benchmarkStore(b, s, visitor, method, path, body)
}

func benchmarkStore(b *testing.B, s *commerce.Store, visitor commerce.Visitor, method, path, body string) {
	fake := newFakeEngine()
	c, _, _ := threeLines()
	fake.admission.Store, fake.admission.Visitor = s, visitor
	server := New(Config{Engine: benchEngine{fake, fake.admission, engine.Reply{Cart: c}}})
	var ctx fasthttp.RequestCtx
	ctx.Request.Header.SetMethod(method)
	ctx.Request.SetRequestURI(path)
	ctx.Request.Header.Set("Authorization", "Bearer "+testKey)
	stream := strings.NewReader(body)
	b.ReportAllocs()
	for b.Loop() {
		stream.Reset(body)
		ctx.Request.SetBodyStream(stream, len(body))
		ctx.Response.Reset()
		ctx.ResetUserValues()
		server.serve(&ctx)
	}
	if status := ctx.Response.StatusCode(); status >= 300 {
		b.Fatalf("answered %d %s", status, ctx.Response.Body())
	}
}

func BenchmarkServeCartRead(b *testing.B) {
	benchmarkServe(b, commerce.Visitor{Known: true}, "GET", cartsPath+"/"+testCart, "")
}

func BenchmarkServeCartReadByAGuest(b *testing.B) {
	benchmarkServe(b, commerce.Visitor{}, "GET", cartsPath+"/"+testCart, "")
}

func BenchmarkServeLineAdd(b *testing.B) {
	benchmarkServe(b, commerce.Visitor{}, "POST", cartsPath+"/"+testCart+"/lines", `{"product_id":"`+testLine+`","quantity":2}`)
}

func BenchmarkServeLineChange(b *testing.B) {
	benchmarkServe(b, commerce.Visitor{}, "PATCH", linePathOf(testLine), `{"quantity":7}`)
}
