package blackbox_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// sampleBase is the address of `make run`, which the samples call.
const sampleBase = "http://127.0.0.1:8080"

var keptName = regexp.MustCompile(`\{([a-z_]+)\}`)

// sampleOf returns a call as commands of a shell: the calls that prepare it, then its own request. They
// need nothing but curl, jq and the demo store.
func sampleOf(at int) string {
	var out strings.Builder
	c := &exampleCalls[at]
	if before := preparation(at); len(before) > 0 {
		fmt.Fprintf(&out, "# Before it:\nAPI=%s/v1/api KEY='Authorization: Bearer %s'\n", sampleBase, before[0].apiKey())
		for _, b := range before {
			out.WriteString(b.prepares())
		}
		out.WriteString("\n# The request:\n")
	}
	if c.id == "resetPassword" {
		out.WriteString("# RESET_TOKEN is in the webhook contact.password_reset_requested: the mail that your shop sends has it in its link.\n")
	}
	method, path, _ := strings.Cut(c.call, " ")
	out.WriteString("curl ")
	if c.stream {
		out.WriteString("-N ") // shows each event at once
	}
	if method != "GET" && (method != "POST" || c.body == "") {
		out.WriteString("-X " + method + " ")
	}
	if !strings.HasPrefix(path, "/") {
		path = "/v1/api/" + path
	}
	out.WriteString(quotedURL(sampleBase + variables(path)))
	if key := c.apiKey(); key != "" {
		out.WriteString(" \\\n  -H 'Authorization: Bearer " + key + "'")
	}
	if c.token != "" {
		out.WriteString(" \\\n  -H " + header(c.token))
	}
	if c.body != "" {
		out.WriteString(" \\\n  -d '" + inQuotes(pretty(c.body)) + "'")
	}
	return out.String()
}

// preparation returns the calls that a call needs, in order: those that answer its values, the one
// that it comes after, and calls without an id that prepare its records.
func preparation(at int) (before []*exampleCall) {
	needed, after := valuesOf(&exampleCalls[at]), exampleCalls[at].after
	for i := at - 1; i >= 0; i-- {
		c := &exampleCalls[i]
		own := valuesOf(c)
		answers := c.keep != "" && slices.Contains(needed, c.keep)
		prepares := c.id == "" && len(own) > 0 && slices.Contains(needed, own[0])
		if !answers && !prepares && (after == "" || c.id != after) {
			continue
		}
		if c.id == after || answers && c.after != "" {
			after = c.after
		}
		needed = slices.DeleteFunc(needed, func(name string) bool { return name == c.keep })
		needed = append(needed, own...)
		before = append(before, c)
	}
	slices.Reverse(before)
	return before
}

// valuesOf returns the names of the values that a call has from earlier answers.
func valuesOf(c *exampleCall) (names []string) {
	for _, found := range keptName.FindAllStringSubmatch(c.call+c.body+c.token, -1) {
		if found[1] != "random" && found[1] != "reset_token" {
			names = append(names, found[1])
		}
	}
	return names
}

// prepares returns a call that prepares another as one line, which keeps its value in a variable.
func (c *exampleCall) prepares() string {
	method, path, _ := strings.Cut(c.call, " ")
	request := quotedURL("$API/" + variables(path))
	if c.apiKey() == "demo-storefront-key" {
		request += ` -H "$KEY"`
	} else {
		request += " -H 'Authorization: Bearer " + c.apiKey() + "'"
	}
	if c.token != "" {
		request += " -H " + header(c.token)
	}
	if method != "GET" && (method != "POST" || c.body == "") {
		request = "-X " + method + " " + request
	}
	if c.body != "" {
		request += " -d '" + inQuotes(oneLine(c.body)) + "'"
	}
	switch variable := strings.ToUpper(c.keep); {
	case c.keep == "":
		return "curl -sS -o /dev/null " + request + "\n"
	case strings.HasPrefix(c.at, "X-"):
		return variable + "=$(curl -sS -o /dev/null -w '%header{" + c.at + "}' " + request + ")\n"
	default:
		return variable + "=$(curl -sS " + request + " | jq -r ." + regexp.MustCompile(`\.([0-9])`).ReplaceAllString(c.at, "[$1]") + ")\n"
	}
}

// variables returns a text with variables of a shell for the kept values.
func variables(text string) string {
	return keptName.ReplaceAllStringFunc(text, func(name string) string { return "$" + strings.ToUpper(strings.Trim(name, "{}")) })
}

// quotedURL quotes an address with characters that mean something to a shell or to curl.
func quotedURL(url string) string {
	if strings.ContainsAny(url, "?[]&") {
		return `"` + strings.NewReplacer("[", "%5B", "]", "%5D").Replace(url) + `"`
	}
	return url
}

// inQuotes returns a text that stands in single quotes, which its variables interrupt.
func inQuotes(text string) string {
	return keptName.ReplaceAllStringFunc(text, func(name string) string {
		if name == "{random}" {
			return "'$RANDOM$RANDOM'"
		}
		return "'" + variables(name) + "'"
	})
}

func header(token string) string {
	if strings.HasPrefix(token, "{") {
		return `"X-Customer-Token: ` + variables(token) + `"`
	}
	return "'X-Customer-Token: " + token + "'"
}

// oneLine returns a body on one line.
func oneLine(body string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(body), " "), "[ ", "[")
}

// pretty returns a body with a line for each member. Short ones stay on one line.
func pretty(body string) string {
	plain := oneLine(body)
	if len(plain) < 80 {
		return plain
	}
	var members []string
	depth, begin, text := 0, 1, false
	for i, c := range plain {
		switch {
		case c == '"':
			text = !text
		case text:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		case c == ',' && depth == 1:
			members = append(members, strings.TrimSpace(plain[begin:i]))
			begin = i + 1
		}
	}
	members = append(members, strings.TrimSpace(plain[begin:len(plain)-1]))
	return "{\n    " + strings.Join(members, ",\n    ") + "\n  }"
}
