package floor

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/google/uuid"
)

// Answer is the floor's answer to requests with one method and path.
type Answer struct {
	Method string `json:"method"`
	// Path may hold one or two slots in braces, for instance /carts/{cart}.
	Path   string `json:"path"`
	Status int    `json:"status"`
	// Body is the answer's body. If the path has {cart} or Creates is true, the cart's id replaces
	// the first UUID in it.
	Body    string `json:"body"`
	Creates bool   `json:"creates,omitempty"`
	// Record is the number of bytes that a write stores. A read (GET) stores none.
	Record int `json:"record"`

	prefix, suffix string
	slashes        int
	body           []byte
	record         string
	idAt           int
}

// idLength is the length of a UUID as text.
const idLength = 36

// check refuses invalid answers and prepares the others.
func check(answers []Answer) error {
	if len(answers) == 0 {
		return errors.New("floor: no answers are given")
	}
	for i := range answers {
		a := &answers[i]
		if a.Method == "" || !strings.HasPrefix(a.Path, "/") || a.Status < 200 || a.Status > 299 {
			return fmt.Errorf("floor: answer %d: method, a path from /, and a status from 200 to 299 are needed", i)
		}
		if a.Method != http.MethodGet && a.Record < 1 {
			return fmt.Errorf("floor: answer %d: a write stores at least one byte", i)
		}
		a.prepare()
	}
	return nil
}

func (a *Answer) prepare() {
	path, _, _ := strings.Cut(a.Path, "?")
	a.prefix, _, _ = strings.Cut(path, "{")
	if last := strings.LastIndexByte(path, '}'); last >= 0 {
		a.suffix = path[last+1:]
	}
	a.slashes = strings.Count(path, "/")
	a.body, a.idAt = []byte(a.Body), -1
	if a.Creates || strings.Contains(a.Path, "{cart}") {
		a.idAt = firstID(a.Body)
	}
	if a.Method != http.MethodGet {
		a.record = filler(a.Record)
	}
}

// firstID is the index of the first text in the form of a UUID, -1 if there is none.
func firstID(body string) int {
	for i := 0; i+idLength <= len(body); i++ {
		if uuid.Validate(body[i:i+idLength]) == nil {
			return i
		}
	}
	return -1
}

// filler is a record of n incompressible bytes.
func filler(n int) string {
	bytes := make([]byte, n)
	state := uint64(0x9e3779b97f4a7c15)
	for i := range bytes {
		state ^= state << 13
		state ^= state >> 7
		state ^= state << 17
		bytes[i] = byte(state >> 32)
	}
	return string(bytes)
}

// CartAnswers are the answers to the requests of a cart API. An answer has size bytes; a write
// stores a record of record bytes.
func CartAnswers(record, size int) []Answer {
	const carts, id = "/v1/api/commerce/carts", "f1000000-0000-4000-8000-000000000000"
	line := fmt.Sprintf(`{"id":%q,"product_id":%q,"quantity":1,"line_total":{"amount":0}}`, id, id)
	body := fmt.Sprintf(`{"data":{"id":%q,"lines":[%s,%s,%s],"totals":{"total":{"amount":0}},"rest":""}}`, id, line, line, line)
	body = strings.Replace(body, `"rest":"`, `"rest":"`+strings.Repeat("x", max(0, size-len(body))), 1)
	return []Answer{
		{Method: http.MethodPost, Path: carts, Status: http.StatusCreated, Body: body, Creates: true, Record: record},
		{Method: http.MethodGet, Path: carts + "/{cart}", Status: http.StatusOK, Body: body},
		{Method: http.MethodPost, Path: carts + "/{cart}/discount", Status: http.StatusOK, Body: body, Record: record},
		{Method: http.MethodPost, Path: carts + "/{cart}/checkout", Status: http.StatusCreated, Body: body, Record: record},
		{Method: http.MethodPost, Path: carts + "/{cart}/lines", Status: http.StatusCreated, Body: body, Record: record},
		{Method: http.MethodPatch, Path: carts + "/{cart}/lines/{line}", Status: http.StatusOK, Body: body, Record: record},
		{Method: http.MethodDelete, Path: carts + "/{cart}/lines/{line}", Status: http.StatusOK, Body: body, Record: record},
	}
}
