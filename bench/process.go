package bench

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Processes are those whose time and memory a run accounts for, by their ids.
type Processes struct {
	Server, Redis []int
}

// usage is what the machine has used up to a moment.
type usage struct {
	at                    time.Time
	client, server, redis time.Duration
	busy                  time.Duration // of all processors, by whomever
	requests              int64
}

func (p Processes) usage(requests int64) usage {
	return usage{
		at: time.Now(), client: cpuTime(os.Getpid()), server: cpuTimes(p.Server), redis: cpuTimes(p.Redis),
		busy: busyTime(), requests: requests,
	}
}

// since is the CPU a request between two moments.
func (u usage) since(before usage) CPU {
	n := max(1, u.requests-before.requests)
	each := func(now, then time.Duration) float64 { return float64(now-then) / microsecond / float64(n) }
	ours := u.client + u.server + u.redis - before.client - before.server - before.redis
	others := float64(u.busy-before.busy-ours) / float64(max(1, u.at.Sub(before.at)))
	return CPU{
		Client: each(u.client, before.client), Server: each(u.server, before.server), Redis: each(u.redis, before.redis),
		Others: max(0, others),
	}
}

func (p Processes) memory() Memory {
	return Memory{Server: residents(p.Server), Redis: residents(p.Redis)}
}

func cpuTimes(pids []int) (sum time.Duration) {
	for _, pid := range pids {
		sum += cpuTime(pid)
	}
	return sum
}

// cpuTime is what all threads of a process have used, by the kernel's clock of the
// process: in nanoseconds, ended threads included. 0: the process is gone.
func cpuTime(pid int) time.Duration {
	const scheduled = 2 // CPUCLOCK_SCHED; see clock_getcpuclockid(3)
	var used unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|scheduled), &used); err != nil {
		return 0
	}
	return time.Duration(used.Nano())
}

// busyTime is how long the machine's processors have worked, in ticks of 10 ms.
func busyTime() time.Duration {
	stat, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0
	}
	line, _, _ := strings.Cut(string(stat), "\n")
	fields := strings.Fields(line)
	var ticks int64
	for i, field := range fields {
		// cpu user nice system idle iowait irq softirq; guest time is in user
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

// Resident is the memory of a process that is in RAM, in bytes; 0: it is gone.
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
