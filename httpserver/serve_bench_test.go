package httpserver

import (
	"testing"

	"github.com/valyala/fasthttp"

	"cartd/commerce"
)

// benchEngine answers at once and keeps nothing.
type benchEngine struct {
	*fakeEngine
	admission commerce.Admission
	reply     commerce.Reply
}

func (e benchEngine) Admit(_ *commerce.Ask, admitted *commerce.Admission) error {
	*admitted = e.admission
	return nil
}
func (e benchEngine) ReadCart(*commerce.CartRequest) (commerce.Reply, error) {
	return e.reply, nil
}
func (e benchEngine) ChangeCart(*commerce.CartRequest) (commerce.Reply, error) {
	return e.reply, nil
}

// The whole front, from the parsed request to the answer's bytes, without an engine.
func benchmarkServe(b *testing.B, method, path, body string) {
	fake := newFakeEngine()
	c, s, _ := threeLines()
	fake.admission.Store = s
	server := New(Config{Engine: benchEngine{fake, fake.admission, commerce.Reply{Cart: c}}})
	var ctx fasthttp.RequestCtx
	b.ReportAllocs()
	for b.Loop() {
		ctx.Request.Reset()
		ctx.Response.Reset()
		ctx.ResetUserValues()
		ctx.Request.Header.SetMethod(method)
		ctx.Request.SetRequestURI(path)
		ctx.Request.Header.Set("Authorization", "Bearer "+testKey)
		ctx.Request.SetBodyString(body)
		server.serve(&ctx)
	}
	if status := ctx.Response.StatusCode(); status >= 300 {
		b.Fatalf("answered %d %s", status, ctx.Response.Body())
	}
}

func BenchmarkServeCartRead(b *testing.B) {
	benchmarkServe(b, "GET", cartsPath+"/"+testCart, "")
}

func BenchmarkServeLineAdd(b *testing.B) {
	benchmarkServe(b, "POST", cartsPath+"/"+testCart+"/lines", `{"product_id":"`+testLine+`","quantity":2}`)
}
