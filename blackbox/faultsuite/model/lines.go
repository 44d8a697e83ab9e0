package model

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"

	"github.com/google/uuid"
)

// addLine adds a quantity of a product to the cart. Spec: Line behaviour 1.
var addLine = cartRow{
	name: "add", weight: 30, status: http.StatusCreated,
	make: func(dice *rand.Rand, _ Cart) (Request, bool) {
		p := &Products[dice.IntN(len(Products))]
		return addition(p, p.someQuantity(dice)), true
	},
	apply: func(c Cart, r Request) (Cart, bool) {
		args := r.Args.(lineArgs)
		return c.with(func(lines []Line) []Line {
			if at := c.of(args.product); at >= 0 {
				lines[at].Quantity += args.quantity
				return lines
			}
			return append(lines, Line{Product: args.product, Quantity: args.quantity})
		}), true
	},
}.command()

func addition(p *Product, quantity int64) Request {
	return Request{
		Method: http.MethodPost, Path: "/lines",
		Body: fmt.Sprintf(`{"product_id":"%s","quantity":%s}`, p.ID, thousandths(quantity)),
		Args: lineArgs{product: p, quantity: quantity},
	}
}

// changeLine sets a line's quantity. Spec: PATCH line body.
var changeLine = cartRow{
	name: "change", weight: 15, status: http.StatusOK,
	make: func(dice *rand.Rand, seen Cart) (Request, bool) {
		line, ok := someLine(dice, seen)
		if !ok {
			return Request{}, false
		}
		return change(line.ID, line.Product, line.Product.someQuantity(dice)), true
	},
	apply: func(c Cart, r Request) (Cart, bool) {
		args := r.Args.(lineArgs)
		at := c.line(args.line, args.product)
		return c.with(func(lines []Line) []Line {
			if at >= 0 {
				lines[at].ID, lines[at].Quantity = args.line, args.quantity
			}
			return lines
		}), at >= 0
	},
	refuses: noSuchLine,
}.command()

func change(line uuid.UUID, p *Product, quantity int64) Request {
	return Request{
		Method: http.MethodPatch, Path: "/lines/" + line.String(),
		Body: fmt.Sprintf(`{"quantity":%s}`, thousandths(quantity)),
		Args: lineArgs{line: line, product: p, quantity: quantity},
	}
}

// removeLine removes a line. Spec: DELETE line.
var removeLine = cartRow{
	name: "remove", weight: 7, status: http.StatusOK,
	make: func(dice *rand.Rand, seen Cart) (Request, bool) {
		line, ok := someLine(dice, seen)
		return Request{
			Method: http.MethodDelete, Path: "/lines/" + line.ID.String(),
			Args: lineArgs{line: line.ID, product: line.Product},
		}, ok
	},
	apply: func(c Cart, r Request) (Cart, bool) {
		args := r.Args.(lineArgs)
		at := c.line(args.line, args.product)
		return c.with(func(lines []Line) []Line {
			if at >= 0 {
				lines = slices.Delete(lines, at, at+1)
			}
			return lines
		}), at >= 0
	},
	refuses: noSuchLine,
}.command()

// noSuchLine explains a 404: the cart has no line with this id. A line whose id is not known yet
// may have another id. Spec: PATCH line errors.
func noSuchLine(c Cart, r Request, status int) bool {
	id := r.Args.(lineArgs).line
	return status == http.StatusNotFound && !slices.ContainsFunc(c.Lines, func(l Line) bool { return l.ID == id })
}

// addTooMuch is refused in every state. Spec: POST line errors.
var addTooMuch = cartRow{
	name: "add too much", weight: 3,
	make: func(dice *rand.Rand, _ Cart) (Request, bool) {
		return addition(&Products[dice.IntN(len(Products))], (MaxQuantity+1)*1000), true
	},
	refuses: func(_ Cart, _ Request, status int) bool { return status == http.StatusUnprocessableEntity },
}.command()

// addPart adds a part of a pack to whole packs, which is refused in every state. docs/api/lines.md#packs.
var addPart = cartRow{
	name: "add a part of a pack", weight: 3,
	make: func(dice *rand.Rand, _ Cart) (Request, bool) {
		packed := &Products[slices.IndexFunc(Products, func(p Product) bool { return p.Pack > 0 })]
		return addition(packed, packed.someQuantity(dice)+1000), true
	},
	refuses: func(_ Cart, _ Request, status int) bool { return status == http.StatusUnprocessableEntity },
}.command()

// changeNothing names a line that is in no cart.
var changeNothing = cartRow{
	name: "change nothing", weight: 3,
	make: func(dice *rand.Rand, _ Cart) (Request, bool) {
		var id uuid.UUID
		for i := range id {
			id[i] = byte(dice.Uint32())
		}
		return change(id, &Products[0], 1000), true
	},
	refuses: noSuchLine,
}.command()

func someLine(dice *rand.Rand, c Cart) (Line, bool) {
	if len(c.Lines) == 0 {
		return Line{}, false
	}
	return c.Lines[dice.IntN(len(c.Lines))], true
}
