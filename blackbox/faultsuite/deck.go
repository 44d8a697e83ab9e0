package faultsuite

import (
	"math/rand/v2"
	"time"
)

// deck deals the faults of a table in a random order: first each of them once, then in rounds, each
// as often as its weight.
type deck struct {
	table []Fault
	left  []Fault
	began bool
}

// deal takes the next fault. After the first half of a run it skips early ones.
func (d *deck) deal(dice *rand.Rand, early bool) Fault {
	for {
		if len(d.left) == 0 {
			d.shuffle(dice)
		}
		f := d.left[0]
		d.left = d.left[1:]
		if early || !f.Early {
			return f
		}
	}
}

func (d *deck) shuffle(dice *rand.Rand) {
	for _, f := range d.table {
		for i := 0; i < f.Weight && (i == 0 || d.began); i++ {
			d.left = append(d.left, f)
		}
	}
	d.began = true
	dice.Shuffle(len(d.left), func(i, j int) { d.left[i], d.left[j] = d.left[j], d.left[i] })
}

// happening is one fault of a run.
type happening struct {
	name     string
	from, to time.Duration
}

// cause runs a fault and notes its time.
func (s *Storm) cause(f Fault) {
	h := happening{name: f.Name, from: s.now()}
	f.Run(s)
	h.to = s.now()
	s.happened = append(s.happened, h)
}
