package strictjson

// The functions of this file find positions in a text. All but skipSpace rely on a validated text.

func isDigit(c byte) bool { return c-'0' <= 9 }

// skipSpace returns the position of the first byte that is no JSON white space.
func skipSpace(b []byte, at int) int {
	for at < len(b) && b[at] <= ' ' && (b[at] == ' ' || b[at] == '\n' || b[at] == '\r' || b[at] == '\t') {
		at++
	}
	return at
}

// endOfValue returns the position after the value that begins at a position.
func endOfValue(b []byte, at int) int {
	switch b[at] {
	case '"':
		return endOfString(b, at)
	case '{', '[':
		return endOfContainer(b, at)
	}
	for at < len(b) && b[at] > ' ' && b[at] != ',' && b[at] != ']' && b[at] != '}' {
		at++
	}
	return at
}

// endOfString returns the position after the string that begins at a position.
func endOfString(b []byte, at int) int {
	for at++; b[at] != '"'; at++ {
		if b[at] == '\\' {
			at++
		}
	}
	return at + 1
}

// endOfContainer returns the position after the list or object that begins at a position. In a
// validated text the brackets match, so the function only counts them.
func endOfContainer(b []byte, at int) int {
	for depth := 0; ; at++ {
		switch b[at] {
		case '"':
			at = endOfString(b, at) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return at + 1
			}
		}
	}
}

// first returns the position of the first item or member name of the container b, or of its
// closing bracket if it is empty.
func first(b []byte) int { return skipSpace(b, 1) }

// next returns the position of the next item or member name, or of the closing bracket. end is the
// end of the previous item or member.
func next(b []byte, end int) int {
	at := skipSpace(b, end)
	if b[at] == ',' {
		at = skipSpace(b, at+1)
	}
	return at
}

// memberValue returns the position of a member's value.
func memberValue(b []byte, endOfName int) int {
	return skipSpace(b, skipSpace(b, endOfName)+1)
}

// hexDigit returns the value of a hexadecimal digit, or -1.
func hexDigit(c byte) rune {
	switch {
	case isDigit(c):
		return rune(c - '0')
	case 'a' <= c && c <= 'f':
		return rune(c - 'a' + 10)
	case 'A' <= c && c <= 'F':
		return rune(c - 'A' + 10)
	}
	return -1
}

// hexUnit returns the value of the four hexadecimal digits at the start of b.
func hexUnit(b []byte) rune {
	return hexDigit(b[0])<<12 | hexDigit(b[1])<<8 | hexDigit(b[2])<<4 | hexDigit(b[3])
}
