// Package store keeps values by key.
package store

import (
	"errors"
	log "example.org/logging"
)

// ErrMissing says that a key has no value.
var ErrMissing = errors.New("store: no such key")

// Getter is what a reader of values needs.
type Getter interface {
	Get(key string) ([]byte, error)
}

// Store is a Getter in memory.
type Store struct {
	values map[string][]byte
	hits   int
}

// Get gives the value of a key, and counts.
func (s *Store) Get(key string) ([]byte, error) {
	value, ok := s.values[key]
	if !ok {
		log.Printf("missing %q", key)
		return nil, ErrMissing
	}
	s.hits++
	return value, nil
}
