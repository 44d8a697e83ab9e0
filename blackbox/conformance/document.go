package conformance

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// document is the part of an OpenAPI document that the validator ignores: the refusals that an
// operation lists, and the further paths at which the operation stands.
type document struct {
	Paths      map[string]map[string]*operation
	Components struct {
		Examples  map[string]example
		Headers   map[string]header
		Responses map[string]response
	}
}

type operation struct {
	Aliases     []string `json:"x-aliases"`
	RequestBody json.RawMessage
	Responses   map[string]response
	// refusals are the documented refusals by their status.
	refusals map[string][]refusal
	// place is where the operation stands: "paths", its path, its method in lower case.
	place []string
}

type response struct {
	Reference string `json:"$ref"`
	Headers   map[string]header
	Content   map[string]struct{ Examples map[string]example }
}

type header struct {
	Reference string `json:"$ref"`
	Required  bool
}

type example struct {
	Reference string `json:"$ref"`
	Value     refusal
}

// refusal is a body that is not a success.
type refusal struct {
	Message, Error, Code string
	Errors               map[string][]string
}

func readDocument(text []byte) (*document, error) {
	var d document
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, err
	}
	for path, item := range d.Paths {
		for method, o := range item {
			o.place, o.refusals = []string{"paths", path, method}, map[string][]refusal{}
			for status, response := range o.Responses {
				for _, e := range response.Content["application/json"].Examples {
					shared := d.Components.Examples[strings.TrimPrefix(e.Reference, "#/components/examples/")]
					o.refusals[status] = append(o.refusals[status], shared.Value)
				}
			}
		}
	}
	return &d, nil
}

// find returns the operation of a request, and the request's path as the document has it.
func (d *document) find(method, path string) (*operation, string) {
	var best *operation
	var bestPath, bestTemplate string
	for template, item := range d.Paths {
		o := item[strings.ToLower(method)]
		if o == nil {
			continue
		}
		for _, at := range append([]string{template}, o.Aliases...) {
			// If two templates fit, the one with fewer braces wins.
			if fits(at, path) && (best == nil || strings.Count(at, "{") < strings.Count(bestTemplate, "{")) {
				best, bestPath, bestTemplate = o, filled(template, at, path), at
			}
		}
	}
	return best, bestPath
}

func fits(template, path string) bool {
	return slices.EqualFunc(strings.Split(template, "/"), strings.Split(path, "/"), func(t, p string) bool {
		return t == p || strings.HasPrefix(t, "{") && p != ""
	})
}

// filled is a template with the values that a path has in the places of an alias.
func filled(template, alias, path string) string {
	values := strings.Split(path, "/")
	parts, places := strings.Split(template, "/"), strings.Split(alias, "/")
	for i, part := range parts {
		if strings.HasPrefix(part, "{") {
			parts[i] = values[slices.Index(places, part)]
		}
	}
	return strings.Join(parts, "/")
}

// refuses returns an error if an answer is a refusal that the operation does not list. A text about
// fields is listed as an example, so only its code is compared. A refusal that names an id is
// compared up to the id.
func (o *operation) refuses(e *Exchange) error {
	response, documented := o.Responses[strconv.Itoa(e.Status)]
	if e.Status < 400 || e.Status >= 500 || len(e.ResponseBody) == 0 || !documented || response.Reference != "" {
		return nil
	}
	var got refusal
	if err := json.Unmarshal(e.ResponseBody, &got); err != nil {
		return err
	}
	for _, listed := range o.refusals[strconv.Itoa(e.Status)] {
		switch {
		case listed.Code != got.Code:
		case got.Errors != nil && (got.Code != "" || listed.Errors != nil), listed.Message+listed.Error == got.Message+got.Error:
			return nil
		case strings.Contains(listed.Message, "]") && sameModel(listed.Message, got.Message):
			return nil
		}
	}
	return fmt.Errorf("the operation lists no such refusal")
}

// response returns the response of an operation for a status, and its place in the document.
func (d *document) response(o *operation, status int) (found response, place []string, listed bool) {
	name := strconv.Itoa(status)
	if _, listed = o.Responses[name]; !listed {
		name = "default"
	}
	found, listed = o.Responses[name]
	if shared, is := strings.CutPrefix(found.Reference, "#/components/responses/"); is {
		return d.Components.Responses[shared], []string{"components", "responses", shared}, listed
	}
	return found, slices.Concat(o.place, []string{"responses", name}), listed
}

// described are the headers that an answer may carry only if the document lists them. The browser's
// own X-Content-Type-Options stands on every answer.
var described = []string{"X-", "Etag", "Idempotent-Replayed", "Retry-After"}

// headers returns an error if an answer carries a header that its response does not list.
func (d *document) headers(o *operation, e *Exchange) error {
	r, _, _ := d.response(o, e.Status)
	for name := range e.ResponseHeader {
		is := func(other string) bool { return strings.EqualFold(name, other) }
		if name != "X-Content-Type-Options" && slices.ContainsFunc(described, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) &&
			!slices.ContainsFunc(slices.Collect(maps.Keys(r.Headers)), is) {
			return fmt.Errorf("the answer's header %s is not described", name)
		}
	}
	return nil
}

// sameModel compares two texts up to the id of a record.
func sameModel(a, b string) bool {
	a, _, _ = strings.Cut(a, "]")
	b, _, is := strings.Cut(b, "]")
	return is && a == b
}
