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

// Footprint is the memory and the open files of a node.
type Footprint struct {
	// Resident is the memory in bytes, Files the number of open descriptors.
	Resident int64
	Files    int
}

// Footprint reads the figures of the running process. It returns an error if the node does not run.
func (n *Node) Footprint() (Footprint, error) {
	files, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", n.ID()))
	if err != nil {
		return Footprint{}, err
	}
	return Footprint{Resident: bench.Resident(n.ID()), Files: len(files)}, nil
}

// Goroutines ends the process with SIGQUIT, because its traceback is the only list of its
// goroutines. It counts the goroutines by the function that started them.
func (n *Node) Goroutines() map[string]int {
	n.signal(syscall.SIGQUIT)
	<-n.Exited
	return countGoroutines(n.Log.String())
}

var (
	goroutine = regexp.MustCompile(`(?m)^goroutine \d+ .*\[`)
	createdBy = regexp.MustCompile(`(?m)^created by (\S+)`)
)

// countGoroutines reads a traceback. The runtime's goroutines and the first one have no starter.
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

// Outgrown lists the functions that started more goroutines in now than in earlier, by more than
// the tolerance.
func Outgrown(earlier, now map[string]int, tolerance int) string {
	var grown []string
	for _, by := range slices.Sorted(maps.Keys(now)) {
		if now[by] > earlier[by]+tolerance {
			grown = append(grown, fmt.Sprintf("%s: %d, of a fresh node %d", by, now[by], earlier[by]))
		}
	}
	return strings.Join(grown, "; ")
}
