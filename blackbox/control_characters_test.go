package blackbox_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// ownTexts are the texts of bodies that are not of one line, with the characters that they refuse. Every
// other text of the API's description refuses all hostileCharacters.
var ownTexts = map[string]string{
	// several lines
	"customer_note": "\x00\x01\u2028", "message": "\x00\x01\u2028", "offer_message": "\x00\x01\u2028", "internal_note": "\x00\x01\u2028",
	"password": "\x00", "current_password": "\x00", "code": "\x00", // kept as they were sent
	"password_confirmation": "", // compared with the password
	"signature":             "", // read only if the quote asks for one
	"email":                 "", // the rule of an address refuses them
	"percent":               "", // the rule of a decimal refuses them
}

const hostileCharacters = "\x00\x01\t\n\r\u2028"

// bodySchema is a schema of the API's description.
type bodySchema struct {
	Ref        string                 `json:"$ref"`
	AnyOf      []*bodySchema          `json:"anyOf"`
	Type       any                    `json:"type"`
	Format     string                 `json:"format"`
	Enum       []any                  `json:"enum"`
	Properties map[string]*bodySchema `json:"properties"`
}

// Each text of each body that the description names refuses control characters by one rule: a field that
// is read without it fails here. The calls are those of the examples, so that each record has the state
// that the request needs.
func TestEveryTextOfEveryBodyRefusesControlCharacters(t *testing.T) {
	t.Parallel()
	resets := make(chan string, 1)
	hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var event struct{ Token string }
		_ = json.NewDecoder(r.Body).Decode(&event)
		resets <- event.Token
	}))
	defer hook.Close()
	n := start(t, options{redis: "embedded", stores: []string{hookedDemo(t, hook.URL)}, flags: []string{"--webhook-allow-private"}})
	bodies := describedBodies(t)
	kept := map[string]string{"random": "1815"}
	judged := 0
	for i := range exampleCalls {
		c := &exampleCalls[i]
		if c.id == "resetPassword" {
			kept["reset_token"] = <-resets
		}
		if c.stream {
			continue
		}
		method, path, _ := strings.Cut(filled(c.call, kept), " ")
		send := func(body string) answer {
			return n.client(t).withKey(c.apiKey()).withToken(filled(c.token, kept)).request(method, path, body)
		}
		if schema := bodies.of[c.id]; c.id != "" && schema != nil {
			for _, char := range hostileCharacters {
				judged += bodies.refuses(t, c.id, schema, filled(c.body, kept), char, send)
			}
		}
		got := send(filled(c.body, kept)).wantStatus(c.status)
		if strings.HasPrefix(c.at, "X-") {
			kept[c.keep] = got.header.Get(c.at)
		} else if c.keep != "" {
			kept[c.keep] = textAt(t, got.body, c.at)
		}
	}
	if judged < 200 {
		t.Errorf("%d texts were refused, too few to show anything", judged)
	}
}

// bodySchemas are the schemas of the description, and of each operation's body.
type bodySchemas struct{ all, of map[string]*bodySchema }

func describedBodies(t *testing.T) bodySchemas {
	t.Helper()
	var description struct {
		Paths map[string]map[string]struct {
			OperationID string
			RequestBody *struct {
				Content map[string]struct{ Schema *bodySchema }
			}
		}
		Components struct{ Schemas map[string]*bodySchema }
	}
	if err := json.Unmarshal(read(t, "../docs/openapi.json"), &description); err != nil {
		t.Fatal(err)
	}
	b := bodySchemas{all: description.Components.Schemas, of: map[string]*bodySchema{}}
	for _, item := range description.Paths {
		for _, o := range item {
			if o.RequestBody != nil {
				b.of[o.OperationID] = o.RequestBody.Content["application/json"].Schema
			}
		}
	}
	return b
}

// whole follows references and leaves out null.
func (b bodySchemas) whole(s *bodySchema) *bodySchema {
	if s.Ref != "" {
		return b.whole(b.all[s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]])
	}
	for _, one := range s.AnyOf {
		if one = b.whole(one); one.Properties != nil {
			return one
		}
	}
	return s
}

// spoil puts a character into every free text of a body, and returns the paths of those that refuse it
// and of those that do not.
func (b bodySchemas) spoil(s *bodySchema, body map[string]any, path string, char rune) (refused, allowed []string) {
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		member := b.whole(s.Properties[name])
		if member.Properties != nil {
			below, _ := body[name].(map[string]any)
			if below == nil {
				below = map[string]any{}
			}
			r, a := b.spoil(member, below, path+name+".", char)
			if len(r)+len(a) > 0 {
				body[name] = below
			}
			refused, allowed = append(refused, r...), append(allowed, a...)
			continue
		}
		types, _ := member.Type.([]any)
		isText := member.Type == "string" || len(types) == 2 && slices.Contains(types, any("string")) && slices.Contains(types, any("null"))
		if !isText || member.Format != "" || member.Enum != nil || strings.HasSuffix(name, "_id") && name != "vat_id" {
			continue
		}
		own, isOwn := ownTexts[name]
		if isOwn && own == "" {
			continue
		}
		body[name] = "a" + string(char) + "b"
		if isOwn && !strings.ContainsRune(own, char) {
			allowed = append(allowed, path+name)
		} else {
			refused = append(refused, path+name)
		}
	}
	return refused, allowed
}

// refuses sends a body with a character in all of its texts and expects the fault of each text. It returns
// their number. Nothing is sent if no text refuses the character.
func (b bodySchemas) refuses(t *testing.T, id string, schema *bodySchema, example string, char rune, send func(string) answer) int {
	t.Helper()
	body := map[string]any{}
	if err := json.Unmarshal([]byte(example), &body); err != nil {
		t.Fatal(err)
	}
	refused, allowed := b.spoil(b.whole(schema), body, "", char)
	if len(refused) == 0 {
		return 0
	}
	sent, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	got := send(string(sent)).wantStatus(422)
	var refusal struct{ Errors map[string][]string }
	if err := json.Unmarshal(got.body, &refusal); err != nil {
		t.Fatal(err)
	}
	for _, path := range refused {
		shown := path
		if !strings.Contains(path, ".") {
			shown = strings.ReplaceAll(path, "_", " ")
		}
		if !slices.Contains(refusal.Errors[path], "The "+shown+" field must not contain control characters.") {
			t.Errorf("%s: %s with %s: %q", id, path, strconv.QuoteRune(char), refusal.Errors[path])
		}
	}
	for _, path := range allowed {
		if got := refusal.Errors[path]; slices.ContainsFunc(got, func(m string) bool { return strings.Contains(m, "control") }) {
			t.Errorf("%s: %s with %s: %q", id, path, strconv.QuoteRune(char), got)
		}
	}
	return len(refused)
}
