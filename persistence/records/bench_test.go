package records

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"cartd/internal/redistest"
)

// BenchmarkWrite writes one record in a call of several, with a pipeline of 32 records to a
// real Redis. Read redis-us/record, the time that Redis itself spent on one record, not ns/op.
func BenchmarkWrite(b *testing.B) {
	token := func(_, _ int, p *Plan) {
		p.CheckValue("token", "customer")
		p.CheckBytes("contact", 1, 24, stampA)
	}
	idempotent := func(round, i int, p *Plan) {
		key := fmt.Sprintf("idem:%d:%d", round, i)
		p.CheckAbsent(key)
		p.Write("SET", key, strings.Repeat("e", 80), "PX", 60000)
	}
	hold := func(_, i int, p *Plan) {
		p.Expiries("holds")
		p.Hold(StockKeys{"o", "h", "own:" + strconv.Itoa(i)}, "item", 1, 0)
	}
	for _, c := range []struct {
		name string
		size int
		plan func(round, i int, p *Plan)
	}{
		{"plain", 1, nil},
		{"plain", 8, nil},
		{"plain", 32, nil},
		{"token", 1, token},
		{"token", 8, token},
		{"idempotent", 1, idempotent},
		{"idempotent", 8, idempotent},
		{"hold", 8, hold},
	} {
		b.Run(c.name+"/"+strconv.Itoa(c.size), func(b *testing.B) {
			const perTrip = 32
			s := newServer(b, redistest.Real(b))
			s.reset("SET token customer", "SET contact R[a]", "HSET o item 1000000")
			s.client.Set(s.ctx, testHead, "2000000000 v1", 0)
			stamps := make([]string, perTrip)
			body := strings.Repeat("x", 1000)
			s.client.ConfigResetStat(s.ctx)
			for n := 0; b.Loop(); n++ {
				if n%perTrip != 0 {
					continue
				}
				pipe := s.client.Pipeline()
				for from := 0; from < perTrip; from += c.size {
					call := s.call()
					call.Head = "2000000000 v1"
					for i := from; i < from+c.size; i++ {
						v := &Visit{Count: 1, Key: "cart:" + strconv.Itoa(i), Seen: stamps[i], Expiry: "4000000000000"}
						stamps[i] = fmt.Sprintf("%024d", n+i)
						v.Record = "R" + stamps[i] + body
						if c.plan != nil {
							c.plan(n, i, &v.Plan)
						}
						call.Visits = append(call.Visits, v)
					}
					pipe.Do(s.ctx, call.Args()...)
				}
				replies, err := pipe.Exec(s.ctx)
				if err != nil {
					b.Fatal(err)
				}
				if text := fmt.Sprint(replies); strings.Contains(text, "record") || strings.Contains(text, "facts") {
					b.Fatalf("not every record is written: %.500s", text)
				}
			}
			b.ReportMetric(redisMicros(s)/float64(c.size), "redis-us/record")
		})
	}
}

// redisMicros returns the time that Redis itself spent on one call of the script.
func redisMicros(s *server) float64 {
	_, rest, _ := strings.Cut(s.client.Info(s.ctx, "commandstats").Val(), "cmdstat_evalsha:")
	_, rest, _ = strings.Cut(rest, "usec_per_call=")
	number, _, _ := strings.Cut(rest, ",")
	micros, err := strconv.ParseFloat(number, 64)
	if err != nil {
		s.t.Fatal(err)
	}
	return micros
}
