// Package robots reads robots.txt.
package robots

import (
	"bufio"
	"io"
	"strings"
)

// Rules are the paths that a robot must not visit.
type Rules struct {
	disallowed []string
}

// Parse reads the rules for an agent.
func Parse(reader io.Reader, agent string) Rules {
	var rules Rules
	applies := false
	scanner := bufio.NewScanner(reader)
	for scanner.Scan() {
		name, value, _ := strings.Cut(scanner.Text(), ":")
		value = strings.TrimSpace(value)
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "user-agent":
			applies = value == "*" || strings.EqualFold(value, agent)
		case "disallow":
			if applies && value != "" {
				rules.disallowed = append(rules.disallowed, value)
			}
		}
	}
	return rules
}

// Allows reports whether a path may be visited.
func (r Rules) Allows(path string) bool {
	for _, prefix := range r.disallowed {
		if strings.HasPrefix(path, prefix) {
			return false
		}
	}
	return true
}
