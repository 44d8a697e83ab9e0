package commerce

import "github.com/google/uuid"

// The most code points of what a contact tells of itself.
const (
	MaxPersonName = 255
	MaxPhone      = 50
)

// PatchProfile changes the sent fields of a contact; an empty text is null.
type PatchProfile struct{ FirstName, LastName, Phone *string }

func (PatchProfile) locate(*Contact) *Refusal { return nil }
func (PatchProfile) about() uuid.UUID         { return uuid.Nil }

func (p PatchProfile) apply(next *Contact, _ *Input) (Effects, *Refusal) {
	for _, text := range []struct{ from, to *string }{
		{p.FirstName, &next.FirstName}, {p.LastName, &next.LastName}, {p.Phone, &next.Phone},
	} {
		if text.from != nil {
			*text.to = *text.from
		}
	}
	return Effects{}, nil
}
