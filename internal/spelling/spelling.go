// Package spelling owns the search for the known word that is closest to a misspelt one: a flag,
// a variable, a command, a member of a store document.
//
// It refuses to know words: the caller passes them. Open first: Closest in this file.
package spelling

// Closest returns the known word with the fewest spelling mistakes, the first of several. It
// returns false if each has too many mistakes.
func Closest(word string, known []string) (closest string, ok bool) {
	limit := 1 + len(word)/4 // accepted mistakes
	if len(word) > maxLength {
		return "", false
	}
	for _, candidate := range known {
		if len(candidate) > maxLength || len(candidate) < len(word)-limit || len(candidate) > len(word)+limit {
			continue
		}
		if n := distance(word, candidate); n <= limit && n < max(len(word), len(candidate)) {
			closest, ok, limit = candidate, true, n-1
		}
	}
	return closest, ok
}

// maxLength is the length of the longest word that is compared.
const maxLength = 64

// distance is the number of letters to change, add, leave out or swap with a neighbour.
func distance(a, b string) int {
	var rows [3][maxLength + 1]int // the last but one, the last and the current letter of a
	for j := range len(b) + 1 {
		rows[1][j] = j
	}
	for i := 1; i <= len(a); i++ {
		rows[2][0] = i
		for j := 1; j <= len(b); j++ {
			changed := 1
			if a[i-1] == b[j-1] {
				changed = 0
			}
			rows[2][j] = min(rows[1][j]+1, rows[2][j-1]+1, rows[1][j-1]+changed)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[2][j] = min(rows[2][j], rows[0][j-2]+1)
			}
		}
		rows[0], rows[1] = rows[1], rows[2]
	}
	return rows[1][len(b)]
}
