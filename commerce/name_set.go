package commerce

import "slices"

// Set is a set of scopes, of modules or of languages.
type Set[T interface {
	~uint8
	String() string
}] uint32

// Has reports whether the set has a member.
func (s Set[T]) Has(member T) bool { return s&(1<<member) != 0 }

// With returns the set with a member added.
func (s Set[T]) With(member T) Set[T] { return s | 1<<member }

// Meets reports whether the set has any member of want; an empty want is always met.
func (s Set[T]) Meets(want Set[T]) bool { return want == 0 || s&want != 0 }

// Names lists the members in their fixed order.
func (s Set[T]) Names() []string {
	names := []string{}
	for member := range T(32) {
		if s.Has(member) {
			names = append(names, member.String())
		}
	}
	return names
}

// parseName finds a member by its name.
func parseName[T ~uint8](names []string, name string) (T, bool) {
	i := slices.Index(names, name)
	return T(max(i, 0)), i >= 0
}
