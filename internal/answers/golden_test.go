package answers

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
)

// update makes TestAnswersAreThoseOfTestdata write them anew.
var update = flag.Bool("update", false, "write testdata anew")

// shown is an answer, by what it shows.
type shown struct {
	name string
	text []byte
}

// random are the answers of records that dice make.
var random = map[string]func(d dice) []shown{
	"cart": func(d dice) []shown {
		c, s := d.cart(), d.store()
		e := d.evaluation(c)
		e.Cart = c
		return []shown{{"a cart", CartAnswer.Append(nil, CartAnswerView{CartView: CartView{s, e}})}}
	},
	"order": func(d dice) []shown {
		o := d.order()
		row := *o
		return []shown{{"the shopper's", Order.Append(nil, o)}, {"the merchant's", StoreOrder.Append(nil, o)}, {"of an event", OrderNews.Append(nil, o)},
			{"of a list", OrderRow.Append(nil, engine.MakeOrderRow(&row))}}
	},
	"quote": func(d dice) []shown {
		q := d.quote()
		withToken, row := QuoteAt(q, noon), engine.QuoteRow{Quote: q, Totals: q.Totals(), LinesCount: d.IntN(10)}
		withToken.Token = d.text()
		return []shown{{"without its token", Quote.Append(nil, QuoteAt(q, noon))}, {"with its token", Quote.Append(nil, withToken)},
			{"of a list", QuoteRow.Append(nil, QuoteRowAt(&row, noon))}}
	},
	"configurator": func(d dice) []shown {
		tax, product := commerce.Taxation{Included: true}, &commerce.Product{ID: d.id(), Tax: &commerce.TaxRate{Rate: commerce.Hundred / 10}}
		return []shown{{"a schema", Configurator.Append(nil, ConfiguratorView{d.configurator(), tax, product})},
			{"a configuration", ConfigurationQuote.Append(nil, ConfigurationQuoteView{d.configured(), tax, product})}}
	},
	"contact": func(d dice) []shown {
		c, store := d.contact()
		withAddresses := append([]shown{}, shown{"a contact", Profile.Append(nil, ProfileView{Contact: c, Store: store})})
		return append(withAddresses, shown{"its addresses", AddressesAnswer.Append(nil, c)})
	},
	"fold": func(d dice) []shown {
		cart := d.cart()
		report := commerce.FoldReport{Cart: d.id()}
		left := commerce.LeftOut{ProductID: d.id(), VariantID: d.id(), Quantity: 1500, Reason: "INVALID_PROPERTIES"}
		for _, l := range cart.Lines {
			left.Properties = l.Properties
			report.Dropped = append(report.Dropped, commerce.DroppedLine{Product: l.ProductID, Variant: l.VariantID, Quantity: l.Quantity, Properties: l.Properties})
		}
		return []shown{{"a line that a copy left out", LeftOutLine.Append(nil, &left)}, {"a folded cart", FoldedCart.Append(nil, &report)}}
	},
}

// fixed are the answers of records that a test has written.
var fixed = map[string]func() []shown{"product": productAnswers, "refusal": refusalAnswers, "me": meAnswers, "code": codeAnswers, "claim": claimAnswers}

// codeAnswers are codes of a batch.
func codeAnswers() []shown {
	given := engine.GivenCodes{Discount: &commerce.Discount{}, Batch: &commerce.CodeBatch{Prefix: "SPRING", Secret: []byte("s"), Active: true, Uses: 1},
		First: 7, Count: 2}
	return []shown{{"codes of a batch", GivenCodes.Append(nil, &given)}}
}

// claimAnswers are an empty cart with the report of its claim.
func claimAnswers() []shown {
	cart := CartAnswerView{CartView: CartView{&commerce.Store{}, &commerce.Evaluation{Cart: &commerce.Cart{ID: testCart}}}}
	report := commerce.FoldReport{Cart: testLine, Moved: 2, Summed: 3, Clamped: []commerce.ClampedLine{{Line: testLine, Requested: 4500, Kept: 4000}}}
	return []shown{{"a claim", ClaimAnswer.Append(nil, ClaimView{cart, []commerce.FoldReport{report}})}}
}

// The members of an answer, their order and their values stand in testdata: with -update the test writes them, for a reader to compare.
func TestAnswersAreThoseOfTestdata(t *testing.T) {
	written := map[string][]shown{}
	for name, show := range random {
		for what, d := range []dice{plainDice(1, some), plainDice(2, some), plainDice(3, all), plainDice(4, none)} {
			for _, answer := range show(d) {
				written[name] = append(written[name], shown{answer.name + []string{"", " of another one", " of a full one", " of an empty one"}[what], answer.text})
			}
		}
	}
	for name, show := range fixed {
		written[name] = show()
	}
	for name, answers := range written {
		var got bytes.Buffer
		for _, answer := range answers {
			wantCanonical(t, answer)
			fmt.Fprintf(&got, "# %s\n", answer.name)
			if err := json.Indent(&got, answer.text, "", " "); err != nil {
				t.Fatalf("%s: %v: %s", answer.name, err, answer.text)
			}
			got.WriteString("\n\n")
		}
		file := filepath.Join("testdata", name+".txt")
		if *update {
			if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if line, has, wants := difference(got.String(), string(want)); line > 0 {
			t.Errorf("%s:%d: got %s, want %s\nIs it meant? go test ./internal/answers -update", file, line, has, wants)
		}
	}
}

// difference finds the first line in which two texts differ; 0 if they are equal.
func difference(got, want string) (line int, has, wants string) {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(a), len(b)) {
		if has, wants = "nothing", "nothing"; i < len(a) {
			has = a[i]
		}
		if i < len(b) {
			wants = b[i]
		}
		if has != wants {
			return i + 1, has, wants
		}
	}
	return 0, "", ""
}

// Answers of all texts, sizes and nulls are JSON as encoding/json writes it.
func TestAnswersAreJSON(t *testing.T) {
	for _, show := range random {
		for seed := range uint64(200) {
			for _, answer := range show(newDice(seed)) {
				answer.name = fmt.Sprintf("%s of seed %d", answer.name, seed)
				wantCanonical(t, answer)
			}
		}
	}
	for _, r := range commerce.Refusals() {
		wantCanonical(t, shown{r.Message, AnyRefusal.Append(nil, RefusalView{Message: r.Message, Refusal: r})})
	}
}

// wantCanonical fails unless an answer is one value, without a member twice, and written as encoding/json would write it again.
func wantCanonical(t *testing.T, answer shown) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(answer.text))
	d.UseNumber()
	again, err := rewritten(d)
	if err != nil || again != string(answer.text) {
		t.Fatalf("%s is (%v)\n%s\nwant\n%s", answer.name, err, answer.text, again)
	}
}

// rewritten reads the next value, and writes it by encoding/json. The members of objects stay in their order.
func rewritten(d *json.Decoder) (string, error) {
	token, err := d.Token()
	if err != nil {
		return "", err
	}
	if token != json.Delim('{') && token != json.Delim('[') {
		return encoded(token), nil
	}
	var all []string
	seen := map[string]bool{}
	for d.More() {
		member := ""
		if token == json.Delim('{') {
			if member, err = rewritten(d); err != nil {
				return "", err
			}
			if seen[member] {
				return "", fmt.Errorf("%s is there twice", member)
			}
			seen[member], member = true, member+":"
		}
		value, err := rewritten(d)
		if err != nil {
			return "", err
		}
		all = append(all, member+value)
	}
	end, err := d.Token()
	return fmt.Sprint(token) + strings.Join(all, ",") + fmt.Sprint(end), err
}

// encoded is a value by encoding/json, without HTML escaping.
func encoded(v any) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// A text is written as encoding/json writes it, damaged bytes too; a number with as few digits as it has.
func TestTextsAndNumbers(t *testing.T) {
	d := newDice(1)
	for range 20_000 {
		text := d.spell(append(alphabet, "\xff", "\xe2\x82", "\xed\xa0\x80"))
		if got, want := string(Text.Append(nil, text)), encoded(text); got != want {
			t.Fatalf("%q: got %s, want %s", text, got, want)
		}
		n := d.Int64N(int64(commerce.MaxQuantity))>>d.IntN(40) - 5
		for per, got := range map[float64][]byte{
			1e3: Quantity.Append(nil, commerce.Quantity(n)), 1e6: Stock.Append(nil, commerce.Micros(n)),
			float64(commerce.Hundred / 100): Percent.Append(nil, commerce.Percent(n)),
		} {
			if want := strconv.FormatFloat(float64(n)/per, 'f', -1, 64); string(got) != want {
				t.Fatalf("%d of %v: got %s, want %s", n, per, got, want)
			}
		}
	}
	at := time.Date(2026, 11, 20, 13, 0, 0, 1e6, time.FixedZone("", 3600))
	if got := string(Time.Append(nil, at)) + string(TimeOrNull.Append(nil, time.Time{})); got != `"2026-11-20T12:00:00Z"null` {
		t.Errorf("times are %s", got)
	}
	if got := string(UUIDOrNull.Append(nil, uuid.Nil)) + string(UUID.Append(nil, uuid.UUID{15: 0xa})); got != `null"00000000-0000-0000-0000-00000000000a"` {
		t.Errorf("ids are %s", got)
	}
}
