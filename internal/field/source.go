package field

// Source is a value that is read: of the body of a request, or of a store's document. A face reports faults to its own source.
type Source[S any] interface {
	// IsNull reports whether the value is null.
	IsNull() bool
	// Member finds a member of an object, and reports the fault of a required one that is absent.
	Member(name string, presence Presence) (S, Found)
}

// Presence says which values of a member count as sent, and which ones must be.
type Presence uint8

const (
	// A member that IsRequired may not be absent.
	IsRequired Presence = iota
	// One that IsRequiredIfSent may be absent, but what is sent is judged as that of required ones.
	IsRequiredIfSent
	// One that IsNullable may be absent. Null is a value, which their kind reads.
	IsNullable
	// One that IsOptional may be absent or null, which mean the same.
	IsOptional
)

// Found says what was found of a member.
type Found uint8

const (
	// Sent values are read.
	Sent Found = iota
	// Absent members get the value that their kind has for them.
	Absent
	// Untouched members stay as they are: they have a fault, or null means nothing.
	Untouched
)

// Written is the source of kinds that are only written. It is never read.
type Written struct{}

// IsNull is never called.
func (Written) IsNull() bool { return false }

// Member is never called.
func (w Written) Member(string, Presence) (Written, Found) { return w, Absent }
