package main

import (
	"time"

	"github.com/google/uuid"

	"cartd/actors"
	"cartd/commerce"
	"cartd/persistence"
)

// engine joins admission and actors to what httpserver asks for.
type engine struct {
	db       *persistence.DB
	carts    *actors.Carts
	contacts *contacts
	*accounts
}

func (e *engine) Admit(ask *commerce.Ask, admitted *commerce.Admission) error {
	return e.db.Admit(ask, admitted)
}

func (e *engine) CreateCart(r *commerce.CartRequest) (commerce.Reply, error) {
	reply, err := e.carts.Create(r)
	return reply, e.settled(r.Store.ID, r.Deadline, reply.Replayed, err)
}

func (e *engine) ReadCart(r *commerce.CartRequest) (commerce.Reply, error) { return e.carts.Read(r) }

func (e *engine) ChangeCart(r *commerce.CartRequest) (commerce.Reply, error) {
	reply, err := e.carts.Change(r)
	return reply, e.settled(r.Store.ID, r.Deadline, reply.Replayed, err)
}

func (e *engine) ReadContact(r *commerce.ContactRequest) (commerce.ContactReply, error) {
	return e.contacts.Read(r)
}

func (e *engine) ChangeContact(r *commerce.ContactRequest) (commerce.ContactReply, error) {
	reply, err := e.contacts.Change(r)
	return reply, e.settled(r.Store.ID, r.Deadline, reply.Replayed, err)
}

// settled returns an answer's error. One that repeats an earlier request's was not written
// by this request: it waits here for the replicas, as that one did or may not have done.
func (e *engine) settled(store uuid.UUID, deadline time.Time, replayed bool, err error) error {
	if err != nil || !replayed {
		return err
	}
	return e.db.AwaitReplicas(store, deadline)
}

func (e *engine) StockLevels(store, cart uuid.UUID, items []uuid.UUID) ([]commerce.StockLevel, error) {
	return e.db.StockLevels(store, cart, items)
}

func (e *engine) AdjustStock(a *commerce.StockAdjustment) (commerce.StockAdjusted, error) {
	return e.db.AdjustStock(a)
}

func (e *engine) Ready() bool { return e.db.Ready() }

func (e *engine) SilentServers() []string { return e.db.SilentServers() }
