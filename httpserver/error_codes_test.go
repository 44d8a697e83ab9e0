package httpserver

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/answers"
)

// codedMessages has every message that the code can make, with its entry in error_codes.
var codedMessages = map[string]struct {
	message commerce.Message
	entry   string
}{
	"MsgRequired":          {commerce.MsgRequired("email"), `{"code":"required"}`},
	"MsgString":            {commerce.MsgString("email"), `{"code":"string"}`},
	"MsgArray":             {commerce.MsgArray("lines"), `{"code":"array"}`},
	"MsgUUID":              {commerce.MsgUUID("product_id"), `{"code":"uuid"}`},
	"MsgEmail":             {commerce.MsgEmail("email"), `{"code":"email"}`},
	"MsgMaxCharacters":     {commerce.MsgMaxCharacters("email", 255), `{"code":"max","max":255,"unit":"characters"}`},
	"MsgMinCharacters":     {commerce.MsgMinCharacters("password", 8), `{"code":"min","min":8,"unit":"characters"}`},
	"MsgSize":              {commerce.MsgSize("country", 2), `{"code":"size","size":2}`},
	"MsgBoolean":           {commerce.MsgBoolean("is_default"), `{"code":"boolean"}`},
	"MsgConfirmed":         {commerce.MsgConfirmed("password"), `{"code":"confirmed"}`},
	"MsgIn":                {commerce.MsgIn("sort"), `{"code":"in"}`},
	"MsgMaxItems":          {commerce.MsgMaxItems("lines", 100), `{"code":"max","max":100,"unit":"items"}`},
	"MsgMaxBytes":          {commerce.MsgMaxBytes("metadata", 16384), `{"code":"max","max":16384,"unit":"bytes"}`},
	"MsgInteger":           {commerce.MsgInteger("amount"), `{"code":"integer"}`},
	"MsgMin":               {commerce.MsgMin("amount", 0), `{"code":"min","min":0}`},
	"MsgMultipleOf":        {commerce.MsgMultipleOf("quantity", "0.5"), `{"code":"multiple_of","value":0.5}`},
	"MsgMax":               {commerce.MsgMax("quantity", "99999999.999"), `{"code":"max","max":99999999.999}`},
	"MsgNumber":            {commerce.MsgNumber("quantity"), `{"code":"numeric"}`},
	"MsgDecimals":          {commerce.MsgDecimals("quantity"), `{"code":"decimals","max":3}`},
	"MsgPositive":          {commerce.MsgPositive("quantity"), `{"code":"gt","than":0}`},
	"MsgDate":              {commerce.MsgDate("placed_from"), `{"code":"date"}`},
	"MsgDateFrom":          {commerce.MsgDateFrom("at", testNow), `{"code":"after_or_equal","date":"2026-11-20T10:00:00Z"}`},
	"MsgDateTo":            {commerce.MsgDateTo("at", testNow), `{"code":"before_or_equal","date":"2026-11-20T10:00:00Z"}`},
	"MsgScalar":            {commerce.MsgScalar("metadata.a"), `{"code":"scalar"}`},
	"MsgControlCharacter":  {commerce.MsgControlCharacter("name"), `{"code":"control_character"}`},
	"MsgMoreFaults":        {commerce.MsgMoreFaults("request", 37), `{"code":"more_faults","count":37}`},
	"MsgQuoteCountry":      {commerce.MsgQuoteCountry(commerce.Country{'D', 'E'}), `{"code":"quote_country","country":"DE"}`},
	"MsgDocument":          {commerce.MsgDocument("set.products.0.name", "is required"), `{"code":"document","fault":"is required"}`},
	"MsgDimensionRequired": {commerce.MsgDimensionRequired("Width"), `{"code":"dimension_required","label":"Width"}`},
	"MsgDimensionWhole":    {commerce.MsgDimensionWhole("Width"), `{"code":"dimension_whole","label":"Width"}`},
	"MsgDimensionMin":      {commerce.MsgDimensionMin("Width", 300), `{"code":"dimension_min","label":"Width","min":300}`},
	"MsgDimensionMax":      {commerce.MsgDimensionMax("Width", 3000), `{"code":"dimension_max","label":"Width","max":3000}`},
	"MsgDimensionStep":     {commerce.MsgDimensionStep("Width", 10), `{"code":"dimension_step","label":"Width","step":10}`},
	"MsgDimensionUnknown":  {commerce.MsgDimensionUnknown(), `{"code":"dimension_unknown"}`},
	"MsgChoiceUnavailable": {commerce.MsgChoiceUnavailable(), `{"code":"choice_unavailable"}`},
	"MsgChoiceRequires":    {commerce.MsgChoiceRequires("Silk", "Liner {label}"), `{"code":"choice_requires","label":"Silk","required":"Liner {label}"}`},
	"MsgPropertyRequired": {commerce.MsgPropertyRequired("properties.engraving", "Engraving {label}"),
		`{"code":"property_required","label":"Engraving {label}"}`},
	"MsgPropertyUnknown": {commerce.MsgPropertyUnknown("properties.size"), `{"code":"property_unknown"}`},
	"MsgChooseOption":    {commerce.MsgChooseOption("\"Fabric\""), `{"code":"choose_option","label":"\"Fabric\""}`},
	"MsgChooseOne":       {commerce.MsgChooseOne("Fabric"), `{"code":"choose_one","label":"Fabric"}`},
}

// Every validation message of the code has its code, and no code of the list is without a message.
func TestEveryMessageHasItsCode(t *testing.T) {
	source, err := os.ReadFile("../commerce/message.go")
	if err != nil {
		t.Fatal(err)
	}
	used := map[*commerce.MessageRow]bool{}
	for _, declared := range regexp.MustCompile(`(?m)^(?:var |\t)(Msg\w+) +=`).FindAllSubmatch(source, -1) {
		name := string(declared[1])
		c, known := codedMessages[name]
		if !known {
			t.Errorf("commerce.%s is not in the test's list", name)
			continue
		}
		used[c.message.Row()] = true
		if got := string(answers.ErrorCode.Append(nil, &c.message)); got != c.entry {
			t.Errorf("%s: got %s, want %s", name, got, c.entry)
		}
		for i, p := range c.message.Row().Params {
			if !strings.Contains(c.message.Text(), c.message.Value(i)) {
				t.Errorf("%s: the text %q lacks %s", name, c.message.Text(), p.Name)
			}
		}
	}
	for _, r := range commerce.Refusals() {
		if len(r.Fields) > 0 && r.About == nil {
			t.Errorf("%s has no error code", r.Message)
		}
		for _, f := range r.Fields {
			if m := f.Messages[0]; m.Row() != r.About || m.Text() != r.Message || string(answers.ErrorCode.Append(nil, &m)) != `{"code":"`+r.About.Code+`"}` {
				t.Errorf("%s: %s: %s", r.Message, m.Text(), answers.ErrorCode.Append(nil, &m))
			}
		}
		used[r.About] = true
	}
	names := map[string]bool{}
	for _, row := range commerce.FieldMessages() {
		if !used[row] {
			t.Errorf("no message has the code %s", row.Code)
		}
		if key := row.Code + " " + row.Unit; names[key] || !regexp.MustCompile(`^[a-z][a-z_]*$`).MatchString(row.Code) {
			t.Errorf("the code %q is in the list twice, or is no plain word", key)
		} else {
			names[key] = true
		}
	}
	// A refusal of a batch's entry has a code too.
	for _, r := range lineRefusals {
		if r.Kind == commerce.Invalid && r.About == nil {
			t.Errorf("%s: no code for an entry of a batch", r.Message)
		}
	}
}

// A refusal with errors shows their codes in the same order if the request asks for them. Every route
// knows the parameter.
func TestErrorCodes(t *testing.T) {
	h := start(t)
	h.engine.judge = func(r *engine.Request) (engine.Reply, error) {
		if r.Fault != nil {
			return engine.Reply{Facts: &r.Facts}, r.Fault
		}
		return engine.Reply{Facts: &r.Facts}, commerce.QuoteRequired
	}
	for _, c := range []struct{ method, path, body, want string }{
		{"PATCH", cartURL + "?include=error_codes", `{"metadata":{"b":[],"a":{}},"email":"@"}`,
			`{"email":[{"code":"email"}],"metadata.b":[{"code":"scalar"}],"metadata.a":[{"code":"scalar"}]}`},
		{"PATCH", cartURL + "?include=error_codes", `{"email":1}`, `{"email":[{"code":"string"}]}`},
		{"PATCH", cartURL + "?include=x,error_codes,y", `{"email":1}`, `{"email":[{"code":"string"}]}`},
		{"PATCH", cartURL + "?include=x&include=error_codes", `{"email":1}`, `{"email":[{"code":"string"}]}`},
		{"PATCH", cartURL + "?include=error_codes&include=x", `{"email":1}`, ""}, // the last value counts
		{"PATCH", cartURL, `{"email":1}`, ""},
		{"PATCH", cartURL + "?include=error_code", `{"email":1}`, ""},
		{"GET", "/v1/api/commerce/orders?status=x&placed_to=y&include=error_codes", "", `{"status":[{"code":"in"}],"placed_to":[{"code":"date"}]}`},
		{"POST", cartURL + "/lines?include=error_codes", `{"quantity":"0.0000"}`,
			`{"product_id":[{"code":"required"}],"quantity":[{"code":"decimals","max":3},{"code":"gt","than":0}]}`},
	} {
		got := h.do(call{method: c.method, path: c.path, body: c.body})
		var body struct {
			Errors     json.RawMessage `json:"errors"`
			ErrorCodes json.RawMessage `json:"error_codes"`
		}
		if err := json.Unmarshal([]byte(got.body), &body); err != nil {
			t.Fatalf("%s %s: %v in %s", c.method, c.path, err, got.body)
		}
		if got.status != 422 || len(body.Errors) == 0 || string(body.ErrorCodes) != c.want {
			t.Errorf("%s %s %s: %d with %s", c.method, c.path, c.body, got.status, got.body)
		}
	}
	h.expect(call{method: "PATCH", path: cartURL + "?include=error_codes"}, 409, `{"message":"This cart requires a quote.","code":"QUOTE_REQUIRED"}`)
	for _, path := range []string{"/v1/ping", "/v1/api/me", "/v1/api/nowhere", cartURL} {
		if got := h.do(call{method: "GET", path: path + "?include=error_codes"}); got.header.Get("X-Ignored-Parameters") != "" ||
			strings.Contains(got.body, "error_codes") {
			t.Errorf("%s: %s with X-Ignored-Parameters %q", path, got.body, got.header.Get("X-Ignored-Parameters"))
		}
	}
}
