package configurator

import (
	"math/big"
	"slices"
	"strings"

	"github.com/google/uuid"

	"cartd/commerce"
)

// Engine is one product's configurator, prepared for requests. It is immutable and implements
// commerce.ConfiguratorEngine.
type Engine struct {
	product uuid.UUID
	// offered has only the available choices and matrices. To a request, an unavailable choice is
	// an unknown id.
	offered   *commerce.Configurator
	triggers  map[string]bool
	dimension map[string]int // by key, the index in the document's order
	sorted    []int          // the indexes of the dimensions, sorted by key
	choice    map[string]int // by id, the index in the document's order
	choices   []choice
	ranked    []string // the ids of the choices, sorted
	groups    []group
	matrices  []matrix
	own       []component
}

// choice is an available choice.
type choice struct {
	*commerce.Choice
	requires   []int // indexes of choices, each once
	components []component
	rank       int // the index of its id in Engine.ranked
}

// group is a choice group. Its choices follow those of the previous group.
type group struct {
	*commerce.ChoiceGroup
	end int // the index after its last choice
}

// matrix is an available price table.
type matrix struct {
	*commerce.Matrix
	when []int // indexes of choices
	x, y int   // indexes of dimensions
}

// New prepares a configurator of a valid store document.
func New(product uuid.UUID, c *commerce.Configurator) *Engine {
	e := &Engine{
		product: product, offered: offered(c), triggers: map[string]bool{},
		dimension: map[string]int{}, choice: map[string]int{},
	}
	for g := range c.Groups {
		for _, one := range c.Groups[g].Choices {
			if one.TriggersQuote {
				e.triggers[one.ID] = true
			}
		}
	}
	e.indexDimensions()
	e.indexChoices()
	for i := range e.offered.Matrices {
		m := &e.offered.Matrices[i]
		e.matrices = append(e.matrices, matrix{m, e.indexes(m.When), e.dimension[m.X], e.dimension[m.Y]})
	}
	e.own = e.components(e.offered.Components)
	return e
}

func (e *Engine) indexDimensions() {
	for i := range e.offered.Dimensions {
		e.dimension[e.offered.Dimensions[i].Key] = i
		e.sorted = append(e.sorted, i)
	}
	slices.SortFunc(e.sorted, func(a, b int) int {
		return strings.Compare(e.offered.Dimensions[a].Key, e.offered.Dimensions[b].Key)
	})
}

func (e *Engine) indexChoices() {
	for i := range e.offered.Groups {
		g := group{ChoiceGroup: &e.offered.Groups[i]}
		for k := range g.Choices {
			one := &g.Choices[k]
			e.choice[one.ID] = len(e.choices)
			e.choices = append(e.choices, choice{Choice: one, components: e.components(one.Components)})
			e.ranked = append(e.ranked, one.ID)
		}
		g.end = len(e.choices)
		e.groups = append(e.groups, g)
	}
	slices.Sort(e.ranked)
	for rank, id := range e.ranked {
		e.choices[e.choice[id]].rank = rank
	}
	for i := range e.choices {
		e.choices[i].requires = e.indexes(e.choices[i].Requires)
	}
}

// indexes returns the indexes of available choices, each once.
func (e *Engine) indexes(ids []string) []int {
	var indexes []int
	var seen big.Int
	for _, id := range ids {
		if at := e.choice[id]; seen.Bit(at) == 0 {
			seen.SetBit(&seen, at, 1)
			indexes = append(indexes, at)
		}
	}
	return indexes
}

// Offered is the configurator without its unavailable choices and matrices.
func (e *Engine) Offered() *commerce.Configurator { return e.offered }

// TriggersQuote reports whether a choice of the document needs a quote.
func (e *Engine) TriggersQuote(choice string) bool { return e.triggers[choice] }

// Price judges a selection and prices it if it has no error. It returns all errors in this order:
// dimensions, unknown dimensions, choices as sent, groups, and the configuration as a whole.
func (e *Engine) Price(s *commerce.Selection) (commerce.Configured, []commerce.FieldError) {
	var found faults
	sizes := e.measure(s, &found)
	picked := e.pick(s, &found)
	if s.NoMap || s.NoList {
		found.row(commerce.ConfigurationInvalid)
	}
	if found != nil {
		return commerce.Configured{}, found
	}
	made, ok := e.price(sizes, picked)
	if !ok {
		found.row(commerce.NoConfiguredPrice)
		return commerce.Configured{}, found
	}
	return made, nil
}

// faults are the errors of a selection, one for each field.
type faults []commerce.FieldError

func (f *faults) add(field string, messages ...commerce.Message) {
	*f = append(*f, commerce.FieldError{Field: field, Messages: messages})
}

// row adds the fields of a fixed refusal.
func (f *faults) row(r *commerce.Refusal) { *f = append(*f, r.Fields...) }

// distinct is a list without its repeats.
func distinct[T comparable](list []T) []T {
	seen := make(map[T]bool, len(list))
	return slices.DeleteFunc(slices.Clone(list), func(entry T) bool {
		again := seen[entry]
		seen[entry] = true
		return again
	})
}
