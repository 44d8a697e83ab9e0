//go:build long

package shop

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// The chart of the start draws what its table says: each bar has the height of its day on the scale, and its text the day's amount. Texts stay in the
// drawing and apart, on a phone, too.
func TestLongDeskChart(t *testing.T) {
	p := visit(t, serve(t)).open("desk").enter(deskKey)
	for _, one := range []struct {
		name string
		days string // the cents of a day, by how many days ago it was
		top  float64
	}{
		{"nothing was sold", `{}`, 1000},
		{"one day is very high", `{ 12: 987654321, 3: 100 }`, 1_000_000_000},
		{"some days", `{ 0: 3145, 1: 12000, 7: 7700, 29: 15000, 30: 99900 }`, 20_000},
	} {
		p.script(fmt.Sprintf(`(() => {
			const days = %s, now = new Date();
			const noon = (ago) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - ago, 12).toISOString();
			const sales = Object.entries(days).map(([ago, total_amount]) => ({ hour: noon(ago), orders: 1, total_amount, cancelled: 0, cancelled_amount: 0 }));
			window.ask ??= window.fetch;
			const summary = { at: now.toISOString(), sales, orders: { unpaid: 0, overdue: 0 }, quotes: { waiting: 0, offered: 0, expiring: 0 },
				contacts: { awaiting: 0 }, webhooks: { waiting: 0, given_up: 0 } };
			window.fetch = (request, more) => request.url?.includes("/v1/api/summary") ? Promise.resolve(Response.json(summary)) : window.ask(request, more);
		})()`, one.days))
		for _, width := range []int64{1440, 360} {
			what := fmt.Sprintf("%s, %d", one.name, width)
			p.resize(width, 900, false)
			p.goTo("#/orders")
			p.sees("Nothing is waiting to be shipped.")
			p.goTo("#/start")
			p.press("The days as a table")
			p.quiet()
			p.picture("desk-chart "+one.name, width, 900, false)
			p.wantChart(what, one.top)
		}
	}
	p.wantNoFaults()
}

// wantChart compares the bars of the chart with the rows of its table.
func (p *tab) wantChart(what string, top float64) {
	p.t.Helper()
	chart := eval[struct {
		Room  float64
		Bars  []struct{ Height, Bottom float64 }
		Says  []string
		Days  []string // of the table, the oldest first
		Cents []float64
		Lost  []string // texts that leave the drawing, touch another one, or are too small to read
	}](p, `(() => {
		const all = (of) => [...document.querySelectorAll(".bars " + of)];
		const rows = all("tbody tr").reverse().map((row) => [...row.children].map((cell) => cell.innerText));
		const svg = document.querySelector(".bars svg").getBoundingClientRect();
		const texts = all("svg text").map((one) => ({ text: one.textContent, box: one.getBoundingClientRect() }));
		const apart = (a, b) => a.right < b.left || b.right < a.left || a.bottom <= b.top || b.bottom <= a.top;
		return {
			Room: Number(all(".bar-room")[0].getAttribute("height")),
			Bars: all(".bar rect:not(.bar-room)").map(({ height: { baseVal: height }, y }) => ({ Height: height.value, Bottom: height.value + y.baseVal.value })),
			Says: all(".bar title").map((one) => one.textContent),
			Days: rows.map(([day]) => day),
			Cents: rows.map(([, , amount]) => Number(amount.replace(/\D/g, ""))),
			Lost: texts.filter(({ box }, i) => box.left < svg.left - 1 || box.right > svg.right + 1 || box.top < svg.top - 1 || box.bottom > svg.bottom + 1 ||
				box.height < 10 || texts.some((other, j) => i !== j && !apart(box, other.box))).map(({ text }) => text),
		};
	})()`)
	if len(chart.Bars) != 30 || len(chart.Days) != 30 {
		p.t.Fatalf("%s: %d bars and %d rows, want 30", what, len(chart.Bars), len(chart.Days))
	}
	if len(chart.Lost) > 0 {
		p.t.Errorf("%s: texts of the chart that nobody can read: %q", what, chart.Lost)
	}
	for i, bar := range chart.Bars {
		if want := chart.Room * chart.Cents[i] / top; math.Abs(bar.Height-want) > 0.01 || math.Abs(bar.Bottom-chart.Room) > 0.01 {
			p.t.Errorf("%s: the bar of %s is %v high and ends at %v, want %v at %v", what, chart.Days[i], bar.Height, bar.Bottom, want, chart.Room)
		}
		amount := fmt.Sprintf("%d.%02d", int(chart.Cents[i])/100, int(chart.Cents[i])%100)
		if said := strings.ReplaceAll(chart.Says[i], ",", ""); !strings.HasPrefix(chart.Says[i], chart.Days[i]+":") || !strings.HasSuffix(said, amount) {
			p.t.Errorf("%s: the bar says %q, the table %s, %s", what, chart.Says[i], chart.Days[i], amount)
		}
	}
}
