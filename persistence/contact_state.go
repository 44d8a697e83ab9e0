package persistence

import (
	"encoding/hex"

	"cartd/commerce"
)

// The snapshot of a contact and the state that the rules know are types of their
// own: the one changes with the format of records, the other with the rules.

// state is the contact as the rules know it.
func (c *contact) state(key commerce.RecordKey) (*commerce.Contact, error) {
	tokens, err := customerTokens(c.Tokens)
	if err != nil {
		return nil, err
	}
	reset, err := customerTokens([]storedToken{c.Reset})
	if c.Reset == (storedToken{}) {
		reset, err = []commerce.CustomerToken{{}}, nil
	}
	if err != nil {
		return nil, err
	}
	return &commerce.Contact{
		ID: key.ID, Guest: c.guest, B2B: c.b2b, Approved: c.approved, GroupID: c.group, Session: c.session,
		Email: c.Email, FirstName: c.FirstName, LastName: c.LastName, Phone: c.Phone,
		CompanyName: c.CompanyName, RegistrationNumber: c.RegistrationNumber, VATID: c.VATID, ExternalID: c.ExternalID,
		PasswordHash: c.PasswordHash, Own: c.Own,
		Reset:     commerce.PasswordReset{Hash: reset[0].Hash, ExpiresAt: reset[0].ExpiresAt},
		Addresses: c.Addresses, Tokens: tokens, CreatedAt: c.CreatedAt, UpdatedAt: c.UpdatedAt,
	}, nil
}

// snapshotOf is the contact as its record holds it.
func snapshotOf(c *commerce.Contact) *contact {
	s := &contact{
		contactHead: contactHead{guest: c.Guest, b2b: c.B2B, approved: c.Approved, session: c.Session, group: c.GroupID},
		contactBody: contactBody{
			Email: c.Email, FirstName: c.FirstName, LastName: c.LastName, Phone: c.Phone,
			CompanyName: c.CompanyName, RegistrationNumber: c.RegistrationNumber, VATID: c.VATID, ExternalID: c.ExternalID,
			PasswordHash: c.PasswordHash, Own: c.Own, Addresses: c.Addresses, CreatedAt: c.CreatedAt, UpdatedAt: c.UpdatedAt,
		},
	}
	if c.Reset != (commerce.PasswordReset{}) {
		s.Reset = storedToken{Hash: hexText(c.Reset.Hash[:]), ExpiresAt: c.Reset.ExpiresAt}
	}
	for _, t := range c.Tokens {
		s.Tokens = append(s.Tokens, storedToken{Hash: hexText(t.Hash[:]), ExpiresAt: t.ExpiresAt})
	}
	return s
}

// customerTokens reads stored tokens; errCorrupt: one is no hash.
func customerTokens(stored []storedToken) (tokens []commerce.CustomerToken, err error) {
	for _, t := range stored {
		token := commerce.CustomerToken{ExpiresAt: t.ExpiresAt}
		if n, err := hex.Decode(token.Hash[:], []byte(t.Hash)); err != nil || n != len(token.Hash) {
			return nil, errCorrupt
		}
		tokens = append(tokens, token)
	}
	return tokens, nil
}

func appendContactState(dst []byte, r *commerce.Record[*commerce.Contact]) []byte {
	return appendContact(dst, &commerce.Record[*contact]{Stamp: r.Stamp, Writers: r.Writers, State: snapshotOf(r.State)})
}

func decodeContactState(key commerce.RecordKey, text string) (commerce.Record[*commerce.Contact], error) {
	snapshot, err := decodeContact(text)
	if err != nil {
		return commerce.Record[*commerce.Contact]{}, err
	}
	state, err := snapshot.State.state(key)
	if err != nil {
		return commerce.Record[*commerce.Contact]{}, err
	}
	return commerce.Record[*commerce.Contact]{Stamp: snapshot.Stamp, Writers: snapshot.Writers, State: state}, nil
}
