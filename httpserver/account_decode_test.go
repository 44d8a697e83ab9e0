package httpserver

import (
	"net/netip"
	"testing"
	"time"
	"unicode/utf8"

	"cartd/commerce"
)

func TestAPasswordIsTakenAsItIsSent(t *testing.T) {
	for body, want := range map[string]string{
		`{"email":"a@b","password":" x\u00a0"}`:         " x\u00a0",
		`{"email":" A@B ","password":"\ud83d\ude00  "}`: "\U0001F600  ",
	} {
		var r commerce.AccountRequest
		if fault := decodeLogin([]byte(body), &r); fault != nil || r.Password != want || r.Email != "a@b" {
			t.Errorf("%s: %q, %q, %v; want %q", body, r.Email, r.Password, fault, want)
		}
	}
}

// The rules of a new password, in their order.
func TestNewPasswords(t *testing.T) {
	const (
		required  = "The password field is required."
		text      = "The password field must be a string."
		short     = "The password field must be at least 8 characters."
		unlike    = "The password field confirmation does not match."
		confirmed = `,"password_confirmation":`
	)
	for body, want := range map[string][]string{
		`"password":"12345678"` + confirmed + `"12345678"`:     nil,
		`"password":"éééééééé"` + confirmed + `"éééééééé"`:     nil,
		`"password":"       1"` + confirmed + `"       1"`:     nil,
		`"password":"12345678"`:                                {unlike},
		`"password":"12345678"` + confirmed + `"12345678 "`:    {unlike},
		`"password":"12345678"` + confirmed + `12345678`:       {unlike},
		`"password":"1234567"` + confirmed + `"1234567"`:       {short},
		`"password":"éééé"` + confirmed + `"éééé"`:             {short},
		`"password":"1"` + confirmed + `"2"`:                   {short, unlike},
		`"password":12345678` + confirmed + `12345678`:         {text},
		`"password":null` + confirmed + `null`:                 {required},
		`"password":"          "` + confirmed + `"          "`: {required},
		`"password":[]`: {required},
		`"password":["12345678"]` + confirmed + `["12345678"]`: {text},
		`"password":true`: {text},
	} {
		var r commerce.AccountRequest
		fault := decodePasswordChange([]byte(`{"current_password":"x",`+body+`}`), &r)
		var got []string
		if fault != nil {
			got = fault.Fields[0].Messages
		}
		if len(got) != len(want) || len(want) > 0 && got[0] != want[0] || len(want) > 1 && got[1] != want[1] {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}

func TestAccountFieldsAreJudgedInTheirOrder(t *testing.T) {
	var r commerce.AccountRequest
	for _, c := range []struct {
		decode func([]byte, *commerce.AccountRequest) *commerce.Refusal
		want   []string
	}{
		{decodeRegister, []string{"email", "password", "first_name"}},
		{decodeLogin, []string{"email", "password"}},
		{decodeForgotPassword, []string{"email"}},
		{decodePasswordReset, []string{"token", "email", "password"}},
		{decodePasswordChange, []string{"current_password", "password"}},
	} {
		fault := c.decode([]byte(`{"first_name":[1],"password":1,"email":1,"token":null}`), &r)
		var got []string
		for _, f := range fault.Fields {
			got = append(got, f.Field)
		}
		if len(got) != len(c.want) {
			t.Errorf("errors of %q, want %q", got, c.want)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("errors of %q, want %q", got, c.want)
			}
		}
	}
}

func FuzzDecodeAccountBodies(f *testing.F) {
	for _, seed := range []string{
		"", "{}", "[]", `{"email":"A@b.co","password":"12345678","first_name":"A","last_name":null}`,
		`{"token":"t","email":"a@b","password":"12345678","password_confirmation":"12345678"}`,
		`{"current_password":"x","password":"12345678","password_confirmation":"12345678"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for i, decode := range []func([]byte, *commerce.AccountRequest) *commerce.Refusal{
			decodeRegister, decodeLogin, decodeForgotPassword, decodePasswordReset, decodePasswordChange,
		} {
			var r commerce.AccountRequest
			fault := decode(body, &r)
			checkFault(t, string(body), fault)
			if fault != nil {
				continue
			}
			sets := i == 0 || i > 2
			if sets && utf8.RuneCountInString(r.Password) < commerce.MinPassword || i != 2 && r.Password == "" || i == 4 && r.Current == "" {
				t.Errorf("body %d, %q: accepted the password %q", i, body, r.Password)
			}
			if lower, ok := commerce.ParseEmail(r.Email); i != 4 && (!ok || lower != r.Email) {
				t.Errorf("body %d, %q: accepted the address %q", i, body, r.Email)
			}
		}
		patch, fault := decodeProfilePatch(body)
		checkFault(t, string(body), fault)
		if fault == nil && patch.Phone != nil && utf8.RuneCountInString(*patch.Phone) > commerce.MaxPhone {
			t.Errorf("%q: accepted the phone %q", body, *patch.Phone)
		}
	})
}

// What the engine is told of the caller, and what the caller is shown of the limit.
func TestALoginIsCountedByItsCaller(t *testing.T) {
	h := start(t, func(c *Config) { c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("0.0.0.0/32")} })
	login := sample(&route{method: "POST", path: contactsPath + "/login"})
	login.header = []string{"X-Forwarded-For: 192.0.2.7"}
	h.engine.failures = commerce.Budget{Granted: true, Limit: 5, Remaining: 3}
	got := h.do(login)
	if got.header.Get("X-RateLimit-Limit") != "5" || got.header.Get("X-RateLimit-Remaining") != "3" {
		t.Errorf("shown %v, want the smaller budget", got.header)
	}
	h.engine.mu.Lock()
	request := h.engine.accounts[0]
	h.engine.mu.Unlock()
	if request.Caller != (commerce.Caller{Addr: netip.MustParseAddr("192.0.2.7"), Forwarded: true}) || request.Email != "a@b.co" || request.Password != "password" {
		t.Errorf("asked %+v", request)
	}
	h.engine.failures.Remaining = 120
	if got := h.do(login); got.header.Get("X-RateLimit-Limit") != "120" {
		t.Errorf("shown %v, want the store's budget", got.header)
	}
	h.engine.failures = commerce.Budget{Limit: 5, RetryAfter: 1500 * time.Millisecond, Reset: testNow}
	h.engine.err = commerce.TooManyAttempts
	got = h.expect(login, 429, message("Too Many Attempts."))
	if got.header.Get("Retry-After") != "2" || got.header.Get("X-RateLimit-Remaining") != "0" || got.header.Get("X-RateLimit-Reset") == "" {
		t.Errorf("refused with %v", got.header)
	}
}

// A body that holds a password leaves nothing behind under an Idempotency-Key.
func TestNoIdempotencyKeyCoversAPassword(t *testing.T) {
	h := start(t)
	for i := range routes {
		r := &routes[i]
		c := sample(r)
		c.header = []string{"Idempotency-Key: 0123456789abcdef"}
		h.reset()
		h.do(c)
		if !r.secret {
			continue
		}
		for _, ask := range h.engine.asks {
			if ask.Once != nil {
				t.Errorf("%s %s looks up an Idempotency-Key", r.method, r.path)
			}
		}
	}
}
