package docs

import (
	"encoding/json"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// schema is the part of a JSON Schema that says which members a value has.
type schema struct {
	Ref        string `json:"$ref"`
	Properties map[string]*schema
	Items      *schema
	// AdditionalProperties is a schema, or false.
	AdditionalProperties json.RawMessage
	AnyOf, OneOf, AllOf  []*schema
}

// content is a body's schema by its media type.
type content map[string]struct{ Schema *schema }

type description struct {
	Paths map[string]map[string]struct {
		OperationID  string
		ExternalDocs struct{ URL string }
		RequestBody  struct{ Content content }
		Responses    map[string]struct{ Content content }
	}
	Components struct{ Schemas map[string]*schema }
}

// elsewhere are pages that have members of a schema for another page, which links to them.
var elsewhere = map[string]string{
	"ProductChange": "../store-document.md",
	"StoreOrder":    "checkout.md",
	"StorePayment":  "checkout.md",
}

var ruled = regexp.MustCompile(`/docs/api/([^#]+)`)

// Each member of a request's body is on the page with its rules, and each member of an answer's body is
// on the page of an operation that answers it.
func TestEveryMemberIsOnAPage(t *testing.T) {
	text, err := os.ReadFile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var d description
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	m := members{t: t, schemas: d.Components.Schemas, pages: map[string]namedWords{}, asked: map[string]bool{}, found: map[string]bool{}}
	for _, operations := range d.Paths {
		for _, o := range operations {
			page := ruled.FindStringSubmatch(o.ExternalDocs.URL)[1]
			for _, body := range o.RequestBody.Content {
				for name := range m.resolved(body.Schema).Properties {
					if !m.names(page, body.Schema.Ref, name) {
						t.Errorf("%s: docs/api/%s does not name the field %s", o.OperationID, page, name)
					}
				}
			}
			for status, response := range o.Responses {
				for _, body := range response.Content {
					if strings.HasPrefix(status, "2") {
						m.walk(page, "", body.Schema, nil)
					}
				}
			}
		}
	}
	for member := range m.asked {
		if !m.found[member] {
			t.Errorf("no page with rules names the member %s", member)
		}
	}
	if len(m.asked) < 300 {
		t.Errorf("the description has %d members", len(m.asked))
	}
}

type members struct {
	t       *testing.T
	schemas map[string]*schema
	pages   map[string]namedWords
	// asked are the members of answers, as Schema.member; found are those that a page names.
	asked, found map[string]bool
}

func (m *members) resolved(s *schema) *schema {
	if s.Ref != "" {
		return m.schemas[path.Base(s.Ref)]
	}
	return s
}

// walk looks for the members of a schema of the page, and of the schemas in it.
func (m *members) walk(page, ref string, s *schema, within []string) {
	if s == nil {
		return
	}
	if s.Ref != "" {
		for _, outer := range within {
			if outer == s.Ref {
				return
			}
		}
		ref, within, s = s.Ref, append(within[:len(within):len(within)], s.Ref), m.resolved(s)
	}
	for name, inner := range s.Properties {
		member := path.Base(ref) + "." + name
		m.asked[member] = true
		if m.names(page, ref, name) || m.names("contract.md", ref, name) {
			m.found[member] = true
		}
		m.walk(page, ref, inner, within)
	}
	m.walk(page, ref, s.Items, within)
	var values schema
	if json.Unmarshal(s.AdditionalProperties, &values) == nil {
		m.walk(page, ref, &values, within)
	}
	for _, list := range [][]*schema{s.AnyOf, s.OneOf, s.AllOf} {
		for _, one := range list {
			m.walk(page, ref, one, within)
		}
	}
}

// names reports whether a page, or the page to which it links for this schema, has the word.
func (m *members) names(page, ref, word string) bool {
	if m.page(page).words[word] {
		return true
	}
	other := elsewhere[path.Base(ref)]
	return other != "" && strings.Contains(m.page(page).text, "]("+other) && m.page(other).words[word]
}

func (m *members) page(name string) namedWords {
	if _, read := m.pages[name]; !read {
		text, err := os.ReadFile(path.Join("api", name))
		if err != nil {
			m.t.Fatal(err)
		}
		p := namedWords{text: string(text), words: map[string]bool{}}
		for _, word := range strings.FieldsFunc(p.text, func(c rune) bool { return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) }) {
			p.words[word] = true
		}
		m.pages[name] = p
	}
	return m.pages[name]
}

// namedWords are the words of a page.
type namedWords struct {
	text  string
	words map[string]bool
}
