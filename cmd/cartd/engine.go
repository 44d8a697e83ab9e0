package main

import (
	"github.com/google/uuid"

	"cartd/actors"
	"cartd/commerce"
	"cartd/persistence"
)

// engine joins admission and actors to what httpserver asks for.
type engine struct {
	db       *persistence.DB
	carts    *actors.Carts
	contacts *actors.Contacts
	*accounts
}

func (e *engine) Admit(ask *commerce.Ask, admitted *commerce.Admission) error {
	return e.db.Admit(ask, admitted)
}

func (e *engine) CreateCart(r *commerce.CartRequest) (commerce.Reply, error) {
	return e.carts.Create(r)
}

func (e *engine) ReadCart(r *commerce.CartRequest) (commerce.Reply, error) { return e.carts.Read(r) }

func (e *engine) ChangeCart(r *commerce.CartRequest) (commerce.Reply, error) {
	return e.carts.Change(r)
}

func (e *engine) ReadContact(r *commerce.ContactRequest) (commerce.ContactReply, error) {
	return e.contacts.Read(r)
}

func (e *engine) ChangeContact(r *commerce.ContactRequest) (commerce.ContactReply, error) {
	return e.contacts.Change(r)
}

func (e *engine) StockLevels(store, cart uuid.UUID, items []uuid.UUID) ([]commerce.StockLevel, error) {
	return e.db.StockLevels(store, cart, items)
}

func (e *engine) AdjustStock(a *commerce.StockAdjustment) (commerce.StockAdjusted, error) {
	return e.db.AdjustStock(a)
}

func (e *engine) Ready() bool { return e.db.Ready() }
