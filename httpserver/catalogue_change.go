package httpserver

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"

	"cartd/commerce"
	"cartd/commerce/storefile"
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
		commerce.StoreTooLarge, faultOf("set.products.0.name", commerce.MsgDocument("set.products.0.name", "is required")),
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
	return s.changeCatalogue(x, func(body []byte) (*storefile.ChangeSet, error) {
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
	err := s.changeCatalogue(x, func(body []byte) (*storefile.ChangeSet, error) {
		set, err := storefile.ParseProductChange(body, id)
		if err != nil && x.facts.Store.Product(id) == nil {
			return nil, storefile.ErrNoProduct // 404 comes ahead of 422
		}
		return set, err
	})
	if errors.Is(err, storefile.ErrNoProduct) {
		return commerce.NotFound("Product", id.String())
	}
	return err
}

// changeCatalogue reads a change of the catalogue and carries it out.
func (s *Server) changeCatalogue(x *exchange, parse func(body []byte) (*storefile.ChangeSet, error)) error {
	var set *storefile.ChangeSet
	body, err := s.unpackedBody(x)
	if err == nil {
		set, err = parse(body)
	}
	x.request.Idempotency, x.keyFault = x.idempotency(x.storeScope()...)
	if x.keyFault != nil {
		return x.keyFault
	}
	var refusal *commerce.Refusal
	if err = withFields(err); err != nil && !errors.As(err, &refusal) {
		return err
	}
	x.request.Fault = refusal
	changed, err := s.engine.ChangeCatalogue(&x.request, set)
	if err != nil {
		return withFields(err)
	}
	x.setReplayed(changed.Replayed)
	x.out = answers.CatalogueChanged.Append(x.out, &changed)
	return nil
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

// withFields converts the faults of a change set to a refusal with their fields.
func withFields(err error) error {
	var found *storefile.Faults
	if errors.As(err, &found) {
		return found.Refusal()
	}
	return err
}
