package conformance

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// Checker holds a document. It may be used by several goroutines.
type Checker struct {
	validator *validator
	document  *document
}

// Exchange is one request with its answer. Path includes the query.
type Exchange struct {
	Method, Path string
	// RequestBody is checked only if the answer is a success and no replay. nil: it is not checked.
	RequestBody    []byte
	Status         int
	ResponseHeader http.Header
	ResponseBody   []byte
}

// New reads a document and fails if it is no valid OpenAPI.
func New(text []byte) (*Checker, error) {
	if err := validateDocument(text); err != nil {
		return nil, err
	}
	strict, err := closed(text)
	if err != nil {
		return nil, err
	}
	v, err := newValidator(strict)
	if err != nil {
		return nil, err
	}
	read, err := readDocument(text)
	return &Checker{validator: v, document: read}, err
}

// Check returns an error if the document does not allow an exchange. It skips answers that no
// operation makes, such as those to OPTIONS and to unknown paths, and bodies with numbers that no
// float64 holds: the validator cannot read them.
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
	if e.Method != http.MethodHead && e.Status != http.StatusNotModified && e.Status != http.StatusNoContent && !outOfRange(e.ResponseBody) {
		fault = errors.Join(fault, c.validator.answer(found, path, e))
	}
	served := e.Status < 300 && e.ResponseHeader.Get("Idempotent-Replayed") == ""
	if found.RequestBody != nil && served && e.RequestBody != nil && !outOfRange(e.RequestBody) {
		fault = errors.Join(fault, c.validator.request(found, path, tolerated(e.RequestBody)))
	}
	if fault != nil {
		return fmt.Errorf("%s %s %.200s → %d %.400s:\n%w", e.Method, e.Path, e.RequestBody, e.Status, e.ResponseBody, fault)
	}
	return nil
}
