package commerce

// ChangeLine sets a line's quantity and, if they were sent, its properties. Spec: PATCH line body, Line
// behaviour 4.
type ChangeLine struct {
	LineID   string
	Quantity Quantity
	// PropertiesSent is true if the map, or null, was sent. A sent map replaces the whole one.
	PropertiesSent bool
	Properties     *SentProperties
}

// RemoveLine removes a line. Spec: DELETE line.
type RemoveLine struct{ LineID string }

func (l ChangeLine) Locate(c *Cart) *Refusal { return locateLine(c, l.LineID) }
func (l RemoveLine) Locate(c *Cart) *Refusal { return locateLine(c, l.LineID) }

func locateLine(c *Cart, lineID string) *Refusal {
	if id, ok := ParseID(lineID); ok && c.line(id) >= 0 {
		return nil
	}
	return NotFound("CartLine", lineID)
}

func (l ChangeLine) Apply(next *Cart, in *Input) (Effects, *Refusal) {
	id, _ := ParseID(l.LineID)
	line := &next.Lines[next.line(id)]
	unit := line.Unit
	product := in.Store.Product(line.ProductID)
	if product != nil {
		unit = product.Unit
	}
	if l.PropertiesSent {
		if r := next.setProperties(line, product, l.Properties); r != nil {
			return Effects{}, r
		}
	}
	switch r := product.pack().refuse(l.Quantity); {
	case !l.Quantity.Fits(unit):
		return Effects{}, QuantityNotWhole
	case r != nil:
		return Effects{}, r
	case l.Quantity > in.Store.Policy.MaxQuantityPerLine:
		return Effects{}, QuantityAboveMaximum.atMost(in.Store.Policy.MaxQuantityPerLine)
	}
	line.Quantity = l.Quantity
	line.reprice(product, next.pricing(in))
	return Effects{}, next.checkTotal(in)
}

// setProperties replaces the properties of a line. Its refusals have no code. The product is nil if it
// is gone.
func (c *Cart) setProperties(line *Line, product *Product, sent *SentProperties) *Refusal {
	properties, faults := sent.For(product)
	if len(faults) > 0 {
		return refuseFields(faults, "")
	}
	changed := *line
	changed.Properties = properties
	if at := c.merging(&changed); at >= 0 && c.Lines[at].ID != line.ID && !properties.same(line.Properties) {
		return LineExists // an erasure may have made lines equal
	}
	line.Properties = properties
	return nil
}

func (l RemoveLine) Apply(next *Cart, _ *Input) (Effects, *Refusal) {
	id, _ := ParseID(l.LineID)
	at := next.line(id)
	next.Lines = append(next.Lines[:at], next.Lines[at+1:]...)
	return Effects{}, nil
}

// checkTotal refuses a change if the cart's total without discounts would exceed MaxAmount. A tax
// is at most equal to the goods, so only carts with goods above half of MaxAmount are evaluated.
func (c *Cart) checkTotal(in *Input) *Refusal {
	c = c.priced(in.Store, c.pricing(in), nil)
	var goods Amount
	for i := range c.Lines {
		total, ok := c.Lines[i].UnitPrice.Times(c.Lines[i].Quantity)
		if goods += total; !ok || goods > MaxAmount/2 {
			return c.checkEvaluated(in)
		}
	}
	return nil
}

func (c *Cart) checkEvaluated(in *Input) *Refusal {
	var e Evaluation
	if e.evaluateFull(c, in); e.Overflow {
		return TotalLimitReached.atMost(int64(MaxAmount))
	}
	return nil
}
