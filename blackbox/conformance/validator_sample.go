//go:build !conformance

package conformance

import (
	"bytes"
	"fmt"
	"mime"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// validator checks bodies, and nothing else, against the document's schemas. It uses the library
// below libopenapi-validator, which builds in seconds, as `make test` needs.
type validator struct {
	document *document
	mu       sync.Mutex // the compiler is not safe for several goroutines
	compiler *jsonschema.Compiler
}

func newValidator(text []byte) (*validator, error) {
	content, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	read, err := readDocument(text)
	if err != nil {
		return nil, err
	}
	v := &validator{document: read, compiler: jsonschema.NewCompiler()}
	v.compiler.AssertFormat()
	return v, v.compiler.AddResource("openapi.json", content)
}

// validateDocument accepts every document: only `make test-long` checks the document itself.
func validateDocument([]byte) error { return nil }

// answer returns the faults of an answer.
func (v *validator) answer(o *operation, _ string, e *Exchange) error {
	found, place, listed := v.document.response(o, e.Status)
	if !listed {
		return fmt.Errorf("status %d is not described", e.Status)
	}
	for name, header := range found.Headers {
		if v.document.requires(header) && e.ResponseHeader.Get(name) == "" {
			return fmt.Errorf("the header %s is missing", name)
		}
	}
	if len(found.Content) == 0 && len(e.ResponseBody) == 0 {
		return nil
	}
	mediaType, _, _ := mime.ParseMediaType(e.ResponseHeader.Get("Content-Type"))
	if _, described := found.Content[mediaType]; !described {
		return fmt.Errorf("the media type %q is not described", mediaType)
	}
	if mediaType != jsonType {
		return nil
	}
	return v.body(append(place, "content", mediaType, "schema"), e.ResponseBody)
}

// request returns the faults of the body of a request that was served.
func (v *validator) request(o *operation, _ string, body []byte) error {
	return v.body(slices.Concat(o.place, []string{"requestBody", "content", jsonType, "schema"}), body)
}

const jsonType = "application/json"

// body compares a JSON text with the schema at a place of the document.
func (v *validator) body(place []string, text []byte) error {
	pointer := ""
	for _, name := range place {
		pointer += "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
	}
	v.mu.Lock()
	schema, err := v.compiler.Compile("openapi.json#" + pointer)
	v.mu.Unlock()
	if err != nil {
		return err
	}
	content, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return fmt.Errorf("the body could not be decoded: %w", err)
	}
	return schema.Validate(content)
}

// requires reports whether an answer without a header is a fault.
func (d *document) requires(h header) bool {
	if shared, is := strings.CutPrefix(h.Reference, "#/components/headers/"); is {
		h = d.Components.Headers[shared]
	}
	return h.Required
}
