package bench

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/valyala/fasthttp"
)

// FlashAdapter describes a flash sale of a system: the requests with which a shopper buys one unit,
// and those that read what the system counted. docs/bench.md describes it.
type FlashAdapter struct {
	// Product is the article on sale, as the {product} of the requests.
	Product string `json:"product"`
	// Full and Reduced are the totals of an order of one unit without and with the code, in minor
	// units.
	Full    Amount `json:"full_total"`
	Reduced Amount `json:"reduced_total"`
	// Steps are a shopper's requests in their order. WithoutCode are those with which a shopper goes on
	// whose code was used up meanwhile.
	Steps       []Exchange `json:"steps"`
	WithoutCode []Exchange `json:"without_code"`
	// Always are answers that every one of these requests may get, besides its own.
	Always []Answer `json:"always"`
	// Order reads the order of a shopper, Orders a page of all orders, Stock the units of the product.
	Order  Exchange `json:"order"`
	Orders Exchange `json:"orders"`
	Stock  Exchange `json:"stock"`
	// Taken is true if Stock counts the units that are gone, false if it counts those that are left.
	Taken bool `json:"stock_counts_taken"`
}

// Exchange is a request with the answers that it may get.
type Exchange struct {
	Op      string            `json:"op"`
	Method  string            `json:"method"`
	Path    string            `json:"path"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
	Shape   string            `json:"shape"`
	// Answers are tried in their order. Any other answer is wrong.
	Answers []Answer `json:"answers"`
}

// Answer is one expected answer. It matches by its status and, if At is given, by the value at this
// path.
type Answer struct {
	Status int    `json:"status"`
	At     string `json:"at"`
	Is     string `json:"is"`
	// Means is "next" (also if it is empty), "again", "without_code", "sold" or "sold_out".
	Means string `json:"means"`
	// Keep fills slots of later requests: from a path of the answer, or from a header as "header NAME".
	Keep map[string]string `json:"keep"`
}

// meaning is the effect of an answer on a shopper's visit.
type meaning uint8

const (
	goOn        meaning = iota // the next step follows
	again                      // the same step follows
	withoutCode                // the steps without the code follow
	sold                       // the shopper was told that the order is placed
	soldOut                    // the shopper was told that there is none left
)

var meanings = map[string]meaning{"": goOn, "next": goOn, "again": again, "without_code": withoutCode, "sold": sold, "sold_out": soldOut}

// exchange is an Exchange made ready for sending.
type exchange struct {
	op op
	*send
	answers []awaited
}

type awaited struct {
	status int
	at     *node // nil if the status alone decides
	is     string
	means  meaning
	keep   []kept
}

// kept is a value of an answer that fills a slot.
type kept struct {
	to     slot
	header string // "" if the value stands in the body
	from   *node
}

const fromHeader = "header "

// faults lists what the flash sale of an adapter lacks.
func (f *FlashAdapter) faults(a *Adapter) (faults []error) {
	if f.Product == "" || len(f.Steps) == 0 || f.Full <= f.Reduced || f.Reduced <= 0 {
		faults = append(faults, errors.New("flash: product, steps and a full_total above the reduced_total are needed"))
	}
	steps, without := f.visit(f.Steps), f.visit(f.WithoutCode)
	for _, e := range slices.Concat([]Exchange{f.Order, f.Orders, f.Stock}, steps, without) {
		if fault := e.fault(a); fault != nil {
			faults = append(faults, fmt.Errorf("flash: %s %s: %w", e.Method, e.Path, fault))
		}
	}
	losesCode := func(e Exchange) bool {
		return slices.ContainsFunc(e.Answers, func(a Answer) bool { return meanings[a.Means] == withoutCode })
	}
	if slices.ContainsFunc(without, losesCode) || len(without) == 0 && slices.ContainsFunc(steps, losesCode) {
		faults = append(faults, errors.New("flash: an answer that means without_code needs steps without_code, and is none of theirs"))
	}
	return faults
}

// visit are steps with the answers that each may get.
func (f *FlashAdapter) visit(steps []Exchange) []Exchange {
	steps = slices.Clone(steps)
	for i := range steps {
		steps[i].Answers = slices.Concat(steps[i].Answers, f.Always)
	}
	return steps
}

func (e *Exchange) fault(a *Adapter) error {
	if _, known := opNamed(e.Op); !known || e.Method == "" || !strings.HasPrefix(e.Path, "/") || len(e.Answers) == 0 {
		return errors.New("a known op, method, a path from / and answers are needed")
	}
	if _, known := a.Shapes[e.Shape]; !known && e.Shape != "" {
		return fmt.Errorf("there is no shape %q", e.Shape)
	}
	path := parseTemplate(e.Path)
	if rest := path.unknown(); rest != "" {
		return fmt.Errorf("the path has the unknown placeholder %s", rest)
	}
	for _, answer := range e.Answers {
		if _, known := meanings[answer.Means]; !known || answer.Status < 200 {
			return fmt.Errorf("an answer of status %d that means %q: next, again, without_code, sold and sold_out can be meant", answer.Status, answer.Means)
		}
		for name := range answer.Keep {
			if _, known := slotNamed(name); !known {
				return fmt.Errorf("an answer keeps the unknown placeholder {%s}", name)
			}
		}
	}
	return nil
}

// compile makes an exchange ready. Every connection has its own.
func (e *Exchange) compile(a *Adapter) exchange {
	o, _ := opNamed(e.Op)
	ready := exchange{op: o, send: newSend(a, &Operation{Method: e.Method, Path: e.Path, Headers: e.Headers, Body: e.Body, Shape: e.Shape})}
	for _, answer := range e.Answers {
		one := awaited{status: answer.Status, is: answer.Is, means: meanings[answer.Means]}
		if answer.At != "" {
			one.at = valueAt(answer.At)
		}
		for name, from := range answer.Keep {
			k := kept{}
			k.to, _ = slotNamed(name)
			var is bool
			if k.header, is = strings.CutPrefix(from, fromHeader); !is {
				k.header, k.from = "", valueAt(from)
			}
			one.keep = append(one.keep, k)
		}
		ready.answers = append(ready.answers, one)
	}
	return ready
}

// valueAt is the shape that finds the value at a path.
func valueAt(path string) *node {
	shape := Shape{ID: path}
	return shape.compile(0)
}

// value reads the value that a shape of valueAt finds, nil if there is none.
func value(body []byte, at *node, scratch *answer) []byte {
	if scan(body, at, scratch) != nil {
		return nil
	}
	return scratch.id
}

// match finds the expected answer that a response is, nil if it is none of them.
func (e *exchange) match(response *fasthttp.Response, scratch *answer) *awaited {
	for i := range e.answers {
		want := &e.answers[i]
		if response.StatusCode() != want.status {
			continue
		}
		if want.at == nil || string(value(response.Body(), want.at, scratch)) == want.is {
			return want
		}
	}
	return nil
}

// store fills slots from a response. It returns false if one of the values is missing.
func (e *awaited) store(response *fasthttp.Response, v *values, scratch *answer) bool {
	for i := range e.keep {
		k := &e.keep[i]
		var found []byte
		if k.header != "" {
			found = response.Header.Peek(k.header)
		} else {
			found = value(response.Body(), k.from, scratch)
		}
		if found == nil {
			return false
		}
		v[k.to] = append(v[k.to][:0], found...)
	}
	return true
}
