package data

import (
	"net/mail"
	"strings"

	"github.com/legwork-mcp/legwork/internal/board/task"
)

// maxAddress is the longest address (RFC 5321, section 4.5.3.1, less the brackets).
const maxAddress = 254

// normalAddress is a mail address as it is kept and compared: NFKC, lower case,
// nothing but the address.
func normalAddress(wrong *task.Fields, field, v string) string {
	v = strings.ToLower(task.CleanLine(v))
	if v == "" {
		wrong.Add(field, task.Required)
		return ""
	}
	a, err := mail.ParseAddress(v)
	if err != nil || a.Address != v || a.Name != "" || len(v) > maxAddress || strings.ContainsAny(v, " \"<>(),;:\\") {
		wrong.Add(field, task.InvalidFormat)
		return ""
	}
	_, domain, _ := strings.Cut(v, "@")
	if !strings.Contains(domain, ".") || strings.ContainsAny(domain, "[]@") {
		wrong.Add(field, task.InvalidFormat)
	}
	return v
}

// addresses are those of the list that are addresses, as they are kept.
func addresses(list []string) []string {
	var out []string
	for _, v := range list {
		var wrong task.Fields
		if v = normalAddress(&wrong, "email", v); v != "" {
			out = append(out, v)
		}
	}
	return out
}
