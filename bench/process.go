package bench

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Processes are the ids of the processes whose time and memory a run measures.
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

func (p Processes) memory() Memory {
	return Memory{Server: residents(p.Server), Redis: residents(p.Redis)}
}

func cpuTimes(pids []int) (sum time.Duration) {
	for _, pid := range pids {
		sum += CPUTime(pid)
	}
	return sum
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
	const tick = 10 * time.Millisecond // on every Linux
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
