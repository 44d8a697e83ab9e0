// Package engine owns the use cases: what a request asks, the facts that it is judged by, the
// one order of judgement, and what becomes of it (a refusal, a replay, a change with its
// effects).
//
// It knows no HTTP and no Redis. store.go has the interfaces of what it needs; persistence and
// actors implement them.
//
// Open first: judge.go (the order of judgement), request.go, facts.go, visit.go, engine.go.
package engine
