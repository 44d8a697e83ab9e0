package conformance

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"
	"github.com/pb33f/libopenapi-validator/config"
	invalid "github.com/pb33f/libopenapi-validator/errors"
)

// Checker holds a document. It may be used by several goroutines.
type Checker struct {
	validator validator.Validator
	document  *document
}

// Exchange is one request with its answer. Path has the query behind it.
type Exchange struct {
	Method, Path string
	// RequestBody is looked at if the answer is a success and no replay, of which the body may be
	// anything; nil: not at all.
	RequestBody    []byte
	Status         int
	ResponseHeader http.Header
	ResponseBody   []byte
}

// New reads a document and fails where it is no valid OpenAPI.
func New(text []byte) (*Checker, error) {
	asServed, err := validatorOf(text)
	if err != nil {
		return nil, err
	}
	if ok, faults := asServed.ValidateDocument(); !ok {
		return nil, joined(faults)
	}
	strict, err := closed(text)
	if err != nil {
		return nil, err
	}
	v, err := validatorOf(strict)
	if err != nil {
		return nil, err
	}
	read, err := readDocument(text)
	return &Checker{validator: v, document: read}, err
}

func validatorOf(text []byte) (validator.Validator, error) {
	model, err := libopenapi.NewDocument(text)
	if err != nil {
		return nil, err
	}
	v, faults := validator.NewValidator(model, config.WithFormatAssertions(), config.WithoutSecurityValidation())
	return v, errors.Join(faults...)
}

// Check returns what the document does not allow of an exchange. Answers that no operation makes,
// such as those to OPTIONS and to unknown paths, are not looked at.
func (c *Checker) Check(e *Exchange) error {
	path, _, _ := strings.Cut(e.Path, "?")
	method := e.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	found, path := c.document.find(method, strings.TrimSuffix(path, "/"))
	if found == nil {
		return nil
	}
	fault := errors.Join(found.refuses(e), c.document.headers(found, e))
	if e.Method != http.MethodHead && e.Status != http.StatusNotModified && e.Status != http.StatusNoContent {
		fault = errors.Join(fault, c.answers(method, path, e))
	}
	if found.RequestBody != nil && e.Status < 300 && e.RequestBody != nil && e.ResponseHeader.Get("Idempotent-Replayed") == "" {
		fault = errors.Join(fault, c.takes(method, path, e.RequestBody))
	}
	if fault != nil {
		return fmt.Errorf("%s %s %.200s → %d %.400s:\n%w", e.Method, e.Path, e.RequestBody, e.Status, e.ResponseBody, fault)
	}
	return nil
}

// answers returns what is wrong with an answer. Numbers beyond a float64, which the validator
// cannot read, are not looked at.
func (c *Checker) answers(method, path string, e *Exchange) error {
	asked, err := http.NewRequest(method, origin+path, nil)
	if err != nil || outOfRange(e.ResponseBody) {
		return nil
	}
	header := e.ResponseHeader.Clone()
	if header.Get(requestID) != "" {
		header.Set(requestID, "text") // the validator takes some of these texts for numbers
	}
	answer := &http.Response{StatusCode: e.Status, Header: header, Body: io.NopCloser(bytes.NewReader(e.ResponseBody))}
	_, faults := c.validator.ValidateHttpResponse(asked, answer)
	return joined(faults)
}

// takes returns what is wrong with the body of a request that was served.
func (c *Checker) takes(method, path string, body []byte) error {
	asked, err := http.NewRequest(method, origin+path, bytes.NewReader(tolerated(body)))
	if err != nil || outOfRange(body) {
		return nil
	}
	asked.Header.Set("Content-Type", "application/json")
	_, faults := c.validator.GetRequestBodyValidator().ValidateRequestBody(asked)
	return joined(faults)
}

const (
	origin    = "http://localhost"
	requestID = "X-Request-Id"
)

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
