//go:build conformance

package conformance

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/pb33f/libopenapi"
	openapi "github.com/pb33f/libopenapi-validator"
	"github.com/pb33f/libopenapi-validator/config"
	invalid "github.com/pb33f/libopenapi-validator/errors"
)

// validator checks with libopenapi-validator, which takes two minutes to build. `make test-long`
// uses it.
type validator struct{ openapi.Validator }

func newValidator(text []byte) (*validator, error) {
	model, err := libopenapi.NewDocument(text)
	if err != nil {
		return nil, err
	}
	v, faults := openapi.NewValidator(model, config.WithFormatAssertions(), config.WithoutSecurityValidation())
	return &validator{v}, errors.Join(faults...)
}

// validateDocument compares the document itself with the schema of OpenAPI 3.1.
func validateDocument(text []byte) error {
	v, err := newValidator(text)
	if err != nil {
		return err
	}
	_, faults := v.ValidateDocument()
	return joined(faults)
}

// answer returns the faults of an answer.
func (v *validator) answer(o *operation, path string, e *Exchange) error {
	request, err := http.NewRequest(o.method(), origin+plainSlashes.Replace(path), nil)
	if err != nil {
		return nil
	}
	header := e.ResponseHeader.Clone()
	if header.Get(requestID) != "" {
		header.Set(requestID, "text") // the validator reads some of these texts as numbers
	}
	answer := &http.Response{StatusCode: e.Status, Header: header, Body: io.NopCloser(bytes.NewReader(e.ResponseBody))}
	_, faults := v.ValidateHttpResponse(request, answer)
	return joined(faults)
}

// request returns the faults of the body of a request that was served.
func (v *validator) request(o *operation, path string, body []byte) error {
	request, err := http.NewRequest(o.method(), origin+plainSlashes.Replace(path), bytes.NewReader(body))
	if err != nil {
		return nil
	}
	request.Header.Set("Content-Type", "application/json")
	_, faults := v.GetRequestBodyValidator().ValidateRequestBody(request)
	return joined(faults)
}

func (o *operation) method() string { return strings.ToUpper(o.place[2]) }

const (
	origin    = "http://localhost"
	requestID = "X-Request-Id"
)

// plainSlashes replaces the slashes of slugs: the validator refuses a path with an encoded slash as
// ambiguous.
var plainSlashes = strings.NewReplacer("%2F", "_", "%2f", "_")

// joined is one error of the validator's list.
func joined(faults []*invalid.ValidationError) error {
	var all []error
	for _, f := range faults {
		all = append(all, f)
		for _, s := range f.SchemaValidationErrors {
			all = append(all, fmt.Errorf("%s: %s", s.FieldPath, s.Reason))
		}
	}
	return errors.Join(all...)
}
