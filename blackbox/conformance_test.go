package blackbox_test

import (
	"compress/gzip"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"cartd/blackbox/conformance"
)

// description is the file of the API's description.
const description = "../docs/openapi.json"

// described checks every exchange with a node.
var described = sync.OnceValues(func() (*conformance.Checker, error) {
	text, err := os.ReadFile(description)
	if err != nil {
		return nil, err
	}
	return conformance.New(text)
})

// sampleOfEach is the number of exchanges of a kind that a sample has.
const sampleOfEach = 10

// sampled counts the exchanges of each kind: method, path without ids, status.
var sampled sync.Map

var anyID = regexp.MustCompile(`[0-9a-fA-F-]{36}`)

// inSample reports whether an exchange is checked. With the build tag conformance all are.
func inSample(method, path string, status int) bool {
	count, _ := sampled.LoadOrStore(method+" "+anyID.ReplaceAllString(path, "")+" "+strconv.Itoa(status), new(atomic.Int64))
	return everyExchange || count.(*atomic.Int64).Add(1) <= sampleOfEach
}

// conforms fails the test unless the description allows an exchange.
func (a answer) conforms(method, path, body string) {
	if *update || !inSample(method, path, a.status) { // the stored description may be out of date
		return
	}
	checker, err := described()
	if err != nil {
		a.t.Errorf("%s: %v", description, err)
		return
	}
	if in, err := gzip.NewReader(strings.NewReader(body)); err == nil { // a packed change set
		unpacked, _ := io.ReadAll(in) // the server refuses the rest of a damaged one
		body = string(unpacked)
	}
	err = checker.Check(&conformance.Exchange{
		Method: method, Path: path, RequestBody: []byte(body), Status: a.status, ResponseHeader: a.header, ResponseBody: a.body,
	})
	if err != nil {
		a.t.Error(err)
	}
}
