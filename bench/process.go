package bench

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Processes are the ids of the processes whose time and memory a run measures. Their time is also that of
// all processes that they started. Redis has those of another system's database.
type Processes struct {
	Server, Redis []int
}

// usage is the processor time used up to a moment.
type usage struct {
	at                    time.Time
	client, server, redis time.Duration
	busy                  time.Duration // of all processors, by all processes
	succeeded             int64         // requests
}

func (p Processes) usage(succeeded int64) usage {
	return usage{
		at: time.Now(), client: CPUTime(os.Getpid()), server: cpuTimes(p.Server), redis: cpuTimes(p.Redis),
		busy: busyTime(), succeeded: succeeded,
	}
}

// since is the CPU time of a successful request between two moments. A process that ended in between
// is not measured.
func (u usage) since(start usage) CPU {
	client, server, redis := max(0, u.client-start.client), max(0, u.server-start.server), max(0, u.redis-start.redis)
	others := float64(u.busy-start.busy-client-server-redis) / float64(max(1, u.at.Sub(start.at)))
	c := CPU{Others: max(0, others)}
	if n := float64(u.succeeded - start.succeeded); n > 0 {
		c.Client, c.Server, c.Redis = float64(client)/microsecond/n, float64(server)/microsecond/n, float64(redis)/microsecond/n
	}
	return c
}

// spent is the processor time between two moments.
func (u usage) spent(start usage) Processor {
	return Processor{
		Server: max(0, u.server-start.server).Seconds(), Database: max(0, u.redis-start.redis).Seconds(), Client: (u.client - start.client).Seconds(),
	}
}

func (p Processes) memory() Memory {
	return Memory{Server: residents(p.Server), Redis: residents(p.Redis)}
}

// cpuTimes is the time that processes and all that they started have used, those included that have ended
// and that a process of the tree has waited for. The time of the ended ones is in steps of 10 ms.
func cpuTimes(pids []int) (sum time.Duration) {
	if len(pids) == 0 {
		return 0
	}
	started := map[int][]int{}
	ended := map[int]time.Duration{}
	entries, _ := os.ReadDir("/proc") // without them the time is that of the processes alone
	for _, entry := range entries {
		if pid, err := strconv.Atoi(entry.Name()); err == nil {
			parent, waited := parentOf(pid)
			started[parent], ended[pid] = append(started[parent], pid), waited
		}
	}
	counted := map[int]bool{}
	for tree := slices.Clone(pids); len(tree) > 0; tree = tree[1:] {
		if pid := tree[0]; !counted[pid] {
			counted[pid] = true
			sum += CPUTime(pid) + ended[pid]
			tree = append(tree, started[pid]...)
		}
	}
	return sum
}

// parentOf reads the parent of a process, and the time of the processes that it has waited for; zeros if
// it has ended.
func parentOf(pid int) (parent int, waited time.Duration) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, 0
	}
	// pid (name) state ppid …; the name may have blanks and brackets. See proc_pid_stat(5).
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	const ppid, cutime, cstime = 1, 13, 14
	if len(fields) <= cstime {
		return 0, 0
	}
	parent, _ = strconv.Atoi(fields[ppid])
	user, _ := strconv.ParseInt(fields[cutime], 10, 64)
	system, _ := strconv.ParseInt(fields[cstime], 10, 64)
	return parent, time.Duration(user+system) * tick
}

// CPUTime is the time that all threads of a process have used, ended ones included, by the kernel's
// clock of the process. It is 0 if the process has ended.
func CPUTime(pid int) time.Duration {
	const scheduled = 2 // CPUCLOCK_SCHED; see clock_getcpuclockid(3)
	var used unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|scheduled), &used); err != nil {
		return 0
	}
	return time.Duration(used.Nano())
}

// tick is the unit of the kernel's older counters, on every Linux.
const tick = 10 * time.Millisecond

// busyTime is the time that the machine's processors have worked, in steps of 10 ms.
func busyTime() time.Duration {
	stat, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0
	}
	line, _, _ := strings.Cut(string(stat), "\n")
	fields := strings.Fields(line)
	var ticks int64
	for i, field := range fields {
		// cpu user nice system idle iowait irq softirq; user includes guest time
		if i >= 1 && i <= 7 && i != 4 && i != 5 {
			n, _ := strconv.ParseInt(field, 10, 64)
			ticks += n
		}
	}
	return time.Duration(ticks) * tick
}

func residents(pids []int) (sum int64) {
	for _, pid := range pids {
		sum += Resident(pid)
	}
	return sum
}

// Resident is the resident memory of a process in bytes, 0 if the process has ended.
func Resident(pid int) int64 {
	statm, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(statm))
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize())
}
