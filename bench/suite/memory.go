package suite

import (
	"context"
	"time"

	"cartd/bench"
)

// The memory case makes carts of three lines in a fresh cartd and measures the resident memory while
// their actors live. A few other carts are then used until these actors have ended, and the memory is
// measured again.
const (
	memoryCarts = 30_000
	actorsEnd   = 20 * time.Second // the flag --idle; the records stay resident much longer
	trickle     = 200              // requests a second meanwhile
	busyMax     = 4 << 10
	idleMax     = 1536
)

func (r *runner) measureMemory(ctx context.Context) error {
	on, err := r.stand.startCartd(everysec, "--idle", actorsEnd.String())
	if err != nil {
		return err
	}
	few, err := r.worldOn(ctx, on, MemoryCase, string(cartdSystem), Side{cartdSystem, "change", connections, carts})
	if err != nil {
		return err
	}
	defer few.Close()
	resident := func() float64 { return float64(bench.Resident(on.processes.Server[0])) }
	empty := resident()
	many, err := r.worldOn(ctx, on, MemoryCase, string(cartdSystem), Side{cartdSystem, "change", connections, memoryCarts})
	if err != nil {
		return err
	}
	busy := resident()
	many.Close()
	result, err := few.Run(ctx, bench.Load{Rate: trickle, Duration: 2 * actorsEnd})
	if err != nil {
		return err
	}
	idle := resident()
	if err := few.Verify(ctx, &result.Check); err != nil {
		return err
	}
	r.document.Results = append(r.document.Results, *result)
	r.judged(
		bench.Ratio{Case: MemoryCase + " busy", About: "resident bytes a cart of 3 lines, its actor alive", Measure: "bytes",
			Pairs: []float64{(busy - empty) / memoryCarts}, Max: busyMax},
		bench.Ratio{Case: MemoryCase + " idle", About: "the same, its actor ended", Measure: "bytes", Pairs: []float64{(idle - empty) / memoryCarts}, Max: idleMax})
	return nil
}
