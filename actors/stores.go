package actors

import "cartd/engine"

// Stores serves change sets of stores' documents. The node has the documents in memory: each batch of sets is judged by
// the version that the node has then, and after a commit the actor rests for Kind.Rest, so that a node moves a store's
// head only so often. Sets that meet an import wait for its end until their deadlines.
type Stores struct{ *Records[*engine.StoreState] }

// NewStores is NewRecords for stores.
func NewStores(storage Storage[*engine.StoreState], carts *Carts) *Stores {
	s := &Stores{NewRecords(storage, carts)}
	s.judge = engine.JudgeStore
	return s
}
