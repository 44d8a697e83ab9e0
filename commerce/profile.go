package commerce

// The maximum number of code points in a contact's profile fields.
const (
	MaxPersonName = 255
	MaxPhone      = 50
)

// ProfileFields is a set of the fields that a contact can set itself.
type ProfileFields uint8

const (
	OwnFirstName ProfileFields = 1 << iota
	OwnLastName
	OwnPhone
)

// Has reports whether the set has a field.
func (p ProfileFields) Has(field ProfileFields) bool { return p&field != 0 }

// PatchProfile changes the sent fields of a contact; an empty text is null.
type PatchProfile struct{ FirstName, LastName, Phone *string }

func (PatchProfile) Locate(*Contact) *Refusal { return nil }

func (p PatchProfile) Apply(next *Contact, _ *Input) (Effects, *Refusal) {
	for _, text := range []struct {
		from, to *string
		field    ProfileFields
	}{
		{p.FirstName, &next.FirstName, OwnFirstName}, {p.LastName, &next.LastName, OwnLastName}, {p.Phone, &next.Phone, OwnPhone},
	} {
		if text.from != nil && *text.from != *text.to {
			*text.to = *text.from
			next.Own |= text.field
		}
	}
	return Effects{}, nil
}
