package httpserver

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"

	"github.com/valyala/fasthttp"

	"cartd/commerce"
	"cartd/commerce/storefile"
	"cartd/engine"
	"cartd/httpserver/bodies"
	"cartd/internal/answers"
	"cartd/internal/openapi"
)

// The shapes of changes of the catalogue. The entries are those of the store document.
var (
	changeSetShape = openapi.Object("ChangeSet").
			Has("format", openapi.Integer.OneOf(1), "").
			May("store", openapi.Map(openapi.UUID), "`id`: the store's id, or absent.").
			May("set", withMembers(openapi.Object(""), storefile.ChangeLists, openapi.List(openapi.Map(openapi.Anything))).
				May("settings", withMembers(openapi.Object(""), storefile.MerchantSettings, openapi.Anything), "Members of `store`."),
			"Entries by list, products with their variants. An entry replaces the one with the same id (code, from), new ones are appended.").
		May("remove", withMembers(openapi.Object(""), storefile.ChangeLists, openapi.List(openapi.Text)), "Ids (codes, froms) by list. Unknown ones are ignored.")
	productChangeShape = withMembers(openapi.Object("ProductChange"), storefile.ProductMembers, openapi.Anything).
				About("Members of a product, as in the store document; null clears one.")
	catalogueChangeRefusals = []*commerce.Refusal{
		commerce.EntryChanged, faultOf("set.products.0.name", commerce.MsgDocument("set.products.0.name", "is required")),
	}
)

// withMembers is an object that may have members of these names, all of one shape.
func withMembers(object *openapi.Schema, names []string, shape *openapi.Schema) *openapi.Schema {
	for _, name := range names {
		object = object.May(name, shape, "")
	}
	return object
}

// handleCatalogueChange carries out a change set.
func handleCatalogueChange(s *Server, x *exchange) error {
	return s.changeCatalogue(x, &engine.CatalogueChange{}, func(body []byte) (*storefile.ChangeSet, error) {
		set, err := storefile.ParseChangeSet(body, storefile.MerchantSettings)
		if err == nil && set.Store != x.facts.Store.ID && set.Store != [16]byte{} {
			return nil, faultOf("store.id", commerce.MsgDocument("store.id", "is not the id of the key's store"))
		}
		return set, err
	})
}

// handleProductChange changes members of one product, active or not.
func handleProductChange(s *Server, x *exchange) error {
	id, ok := commerce.ParseID(x.param("id"))
	if !ok {
		return commerce.NotFound("Product", x.param("id"))
	}
	return s.changeCatalogue(x, &engine.CatalogueChange{Product: id}, func(body []byte) (*storefile.ChangeSet, error) {
		return storefile.ParseProductChange(body, id)
	})
}

// changeCatalogue reads a change of the catalogue and carries it out.
func (s *Server) changeCatalogue(x *exchange, change *engine.CatalogueChange, parse func(body []byte) (*storefile.ChangeSet, error)) error {
	x.request.Idempotency, x.keyFault = x.idempotency(x.storeScope()...)
	body, err := s.unpackedBody(x)
	if err == nil {
		change.Set, err = parse(body)
	}
	var faults *storefile.Faults
	var refusal *commerce.Refusal
	switch {
	case errors.As(err, &faults):
		refusal = faults.Refusal()
	case err != nil && !errors.As(err, &refusal):
		return err
	}
	change.Tags = x.entryTags()
	x.request.Command, x.request.Fault = change, refusal
	if x.keyFault != nil {
		x.request.Fault = x.keyFault
	}
	changed, facts, err := s.engine.ChangeCatalogue(&x.request)
	x.useFacts(facts)
	var other *engine.EntryChanged
	switch {
	case errors.As(err, &other):
		if other.Tag != "" {
			x.ctx.Response.Header.SetCanonical(headerETag, []byte(other.Tag))
		}
		return commerce.EntryChanged
	case err != nil:
		return err
	}
	x.setReplayed(changed.Replayed)
	x.out = answers.CatalogueChanged.Append(x.out, &changed)
	return nil
}

// entryTags are the tags of If-Match; nil if it was not sent.
func (x *exchange) entryTags() (all []string) {
	header := x.list(&x.sent.ifMatch, fasthttp.HeaderIfMatch)
	if len(header) == 0 {
		return nil
	}
	all = []string{}
	for tag := range tags(header) {
		all = append(all, string(unpacked(tag)))
	}
	return all
}

// unpackedBody returns the body as JSON, unpacked. Errors: InvalidJSON, BodyTooLarge, noRoomForBody.
func (s *Server) unpackedBody(x *exchange) ([]byte, error) {
	body := x.body
	if encoding := x.ctx.Request.Header.ContentEncoding(); strings.EqualFold(string(encoding), "gzip") {
		unpacked, err := s.unpack(x, x.in.Bytes)
		if err != nil {
			return nil, err
		}
		body = bodies.Parse(unpacked)
	}
	object, refusal := body.Object()
	switch {
	case refusal != nil:
		return nil, refusal
	case object == nil:
		return []byte("{}"), nil
	}
	return object, nil
}

// unpack unpacks a body within the limit of its route and the budget of large bodies.
func (s *Server) unpack(x *exchange, packed []byte) ([]byte, error) {
	in, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, commerce.InvalidJSON
	}
	body := bytes.NewBuffer(make([]byte, 0, defaultBodyLimit))
	_, err = io.CopyN(body, in, defaultBodyLimit)
	if err == nil {
		if !s.front.ReserveLarge(&x.in, x.facts.Store.ID, changeBodyLimit) {
			return nil, noRoomForBody
		}
		_, err = io.CopyN(body, in, changeBodyLimit-defaultBodyLimit+1)
	}
	switch {
	case err == nil:
		return nil, commerce.BodyTooLarge
	case !errors.Is(err, io.EOF):
		return nil, commerce.InvalidJSON
	}
	return body.Bytes(), nil
}
