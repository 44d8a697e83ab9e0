package suite

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"cartd/bench"
	"cartd/internal/process"
)

// redisBytes is the memory that Redis uses without the logs of requests, which keep a minute, and the
// size of its append-only file.
func redisBytes(addr string) (memory, file float64, err error) {
	if err := awaitFile(addr); err != nil {
		return 0, 0, err
	}
	if memory, err = infoOf(addr, "memory", "used_memory"); err != nil {
		return 0, 0, err
	}
	if file, err = infoOf(addr, "persistence", "aof_current_size"); err != nil {
		return 0, 0, err
	}
	for _, store := range []string{bench.StoreID(0), bench.SaleID(0), bench.SaleID(1)} {
		log, err := logBytes(addr, store)
		if err != nil {
			return 0, 0, err
		}
		memory -= log
	}
	return memory, file, nil
}

// awaitFile waits until nothing waits for the append-only file: Redis delays a write while the disk is
// busy with the one before.
func awaitFile(addr string) error {
	const within, poll = 20 * time.Second, 20 * time.Millisecond
	for until := time.Now().Add(within); ; time.Sleep(poll) {
		waiting, err := infoOf(addr, "persistence", "aof_buffer_length")
		if err != nil || waiting == 0 {
			return err
		}
		if time.Now().After(until) {
			return fmt.Errorf("%v bytes wait for the append-only file after %v", waiting, within)
		}
	}
}

// infoOf is a number of Redis's INFO.
func infoOf(addr, section, field string) (float64, error) {
	info, err := process.AskRedis(addr, "INFO", section)
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(info, "\n"+field+":")
	number, _, _ := strings.Cut(rest, "\r")
	value, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return 0, fmt.Errorf("INFO %s has no %s: %w", section, field, err)
	}
	return value, nil
}

// logBytes is the memory that a store's log of requests takes, 0 if there is none.
func logBytes(addr, store string) (float64, error) {
	size, err := process.AskRedis(addr, "MEMORY", "USAGE", "{"+store+"}:grants", "SAMPLES", "0")
	if err != nil || size == "$-1" {
		return 0, err
	}
	return strconv.ParseFloat(size, 64)
}
