package blackbox_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cartd/internal/redistest"
)

// modelLine is a line of the slow, obvious model; quantity is in thousandths.
type modelLine struct {
	product  modelProduct
	quantity int64
}

// modelProduct is one product of the walk, with its price at a quantity in
// thousandths.
type modelProduct struct {
	id, name string
	whole    bool
	price    func(quantity int64) int64
}

var modelProducts = []modelProduct{
	{hammer, "Hammer", true, func(int64) int64 { return 1999 }},
	{nails, "Nails", true, nailsPrice},
	{cable, "Cable", false, func(int64) int64 { return 333 }},
	{paper, "Paper", true, func(int64) int64 { return 1090 }},
}

func nailsPrice(quantity int64) int64 {
	switch {
	case quantity >= 50_000:
		return 400
	case quantity >= 10_000:
		return 450
	}
	return 500
}

const modelMax = 100_000 // max_quantity_per_line in thousandths

// model is a cart as the specification describes it.
type model struct{ lines []modelLine }

func (m *model) add(p modelProduct, quantity int64) (status int) {
	at := slices.IndexFunc(m.lines, func(l modelLine) bool { return l.product.id == p.id })
	switch {
	case p.whole && quantity%1000 != 0:
		return 422
	case at >= 0 && m.lines[at].quantity+quantity > modelMax, quantity > modelMax:
		return 422
	case at >= 0:
		m.lines[at].quantity += quantity
	default:
		m.lines = append(m.lines, modelLine{p, quantity})
	}
	return http.StatusCreated
}

func (m *model) change(at int, quantity int64) (status int) {
	if quantity > modelMax || m.lines[at].product.whole && quantity%1000 != 0 {
		return 422
	}
	m.lines[at].quantity = quantity
	return http.StatusOK
}

func (m *model) remove(at int) (status int) {
	m.lines = slices.Delete(m.lines, at, at+1)
	return http.StatusOK
}

// rows are the model's lines in the words of cart.plain.
func (m *model) rows() []string {
	rows := make([]string, len(m.lines))
	for i, l := range m.lines {
		price := l.product.price(l.quantity)
		total := (price*l.quantity + 500) / 1000 // half up
		rows[i] = fmt.Sprintf("%s %s × %d = %d", l.product.name, decimal(l.quantity), price, total)
	}
	return rows
}

// decimal writes thousandths without trailing zeros.
func decimal(thousandths int64) string {
	text := fmt.Sprintf("%d.%03d", thousandths/1000, thousandths%1000)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// walker goes through random steps on one cart, on either of two nodes, beside a model.
type walker struct {
	random *rand.Rand
	nodes  [2]client
	path   string
	model  model
}

func (w *walker) node() client { return w.nodes[w.random.IntN(2)] }

// quantity is a random amount in thousandths, now and then above the maximum.
func (w *walker) quantity() int64 {
	if w.random.IntN(3) == 0 {
		return 1 + w.random.Int64N(30_000)
	}
	return 1000 * (1 + w.random.Int64N(40))
}

// step does one thing to the cart and the model and compares the status.
func (w *walker) step() {
	q := w.quantity()
	kind := w.random.IntN(10)
	if len(w.model.lines) == 0 {
		kind = 0
	}
	if kind < 6 {
		p := modelProducts[w.random.IntN(len(modelProducts))]
		a := w.node().post(w.path+"/lines", addBody(p.id, decimal(q)))
		a.wantStatus(w.model.add(p, q))
		return
	}
	at := w.random.IntN(len(w.model.lines))
	linePath := w.path + "/lines/" + w.node().get(w.path).cart(http.StatusOK).Lines[at].ID
	if kind == 9 {
		w.node().remove(linePath).wantStatus(w.model.remove(at))
		return
	}
	w.node().patch(linePath, `{"quantity":`+decimal(q)+`}`).wantStatus(w.model.change(at, q))
}

// Two processes on one Redis, requests sent to either at random, agree with the
// model at every step.
func TestTwoNodesAgreeAtEveryStep(t *testing.T) {
	t.Parallel()
	const walks, steps = 6, 60
	redistest.Each(t, func(t *testing.T, r *redistest.Server) {
		nodes := pair(t, r, keyShop)
		for i := range walks {
			seed := rand.Uint64()
			t.Run(strconv.Itoa(i), func(t *testing.T) {
				t.Logf("seed %d", seed)
				w := walker{random: rand.New(rand.NewPCG(seed, 0)), nodes: [2]client{nodes[0].in(t), nodes[1].in(t)}}
				w.path = w.node().newCart()
				for range steps {
					w.step()
					w.agree()
				}
			})
		}
	})
}

// agree wants the model's lines and the same answer from both nodes.
func (w *walker) agree() {
	w.nodes[0].t.Helper()
	one, two := w.nodes[0].get(w.path), w.nodes[1].get(w.path)
	c := one.wantLines(http.StatusOK, w.model.rows()...)
	two.want(http.StatusOK, string(one.body))
	if fault := c.fault(); fault != "" {
		one.t.Errorf("%v\n%s", one, fault)
	}
}
