// Package engine owns the use cases: the request, its facts, the order of judgement and the result
// (a refusal, a replay, or a change with its effects).
//
// It knows no HTTP and no Redis. interfaces.go has the interfaces that it needs; persistence and actors
// implement them.
//
// Open first: judge.go (the order of judgement), kind.go (the kinds of record), then request.go, facts.go, visit.go and engine.go.
package engine
