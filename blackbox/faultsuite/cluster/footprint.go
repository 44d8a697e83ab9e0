package cluster

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"cartd/bench"
)

// Footprint is what a node takes of its machine.
type Footprint struct {
	// Resident is its memory in bytes, Files how many descriptors are open.
	Resident int64
	Files    int
}

// Footprint reads what the running process takes. Errors: there is none.
func (n *Node) Footprint() (Footprint, error) {
	files, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", n.ID()))
	if err != nil {
		return Footprint{}, err
	}
	return Footprint{Resident: bench.Resident(n.ID()), Files: len(files)}, nil
}

// Goroutines ends the process with SIGQUIT and counts its goroutines by the
// function that started them: the process has no other way to tell.
func (n *Node) Goroutines() map[string]int {
	n.signal(syscall.SIGQUIT)
	<-n.Exited
	return countGoroutines(n.Log.String())
}

var (
	goroutine = regexp.MustCompile(`(?m)^goroutine \d+ .*\[`)
	createdBy = regexp.MustCompile(`(?m)^created by (\S+)`)
)

// countGoroutines reads a traceback. Those that no function started are the
// runtime's and the first.
func countGoroutines(traceback string) map[string]int {
	starts := goroutine.FindAllStringIndex(traceback, -1)
	counts := map[string]int{}
	for i, start := range starts {
		end := len(traceback)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		by := "the runtime"
		if found := createdBy.FindStringSubmatch(traceback[start[0]:end]); found != nil {
			by = found[1]
		}
		counts[by]++
	}
	return counts
}

// Outgrown lists the functions that have started more of the goroutines in now than
// in before, and more than so many more.
func Outgrown(before, now map[string]int, tolerance int) string {
	var grown []string
	for _, by := range slices.Sorted(maps.Keys(now)) {
		if now[by] > before[by]+tolerance {
			grown = append(grown, fmt.Sprintf("%s: %d, of a fresh node %d", by, now[by], before[by]))
		}
	}
	return strings.Join(grown, "; ")
}
