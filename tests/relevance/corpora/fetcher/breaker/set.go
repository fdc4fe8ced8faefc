package breaker

import (
	"sync"
	"time"
)

// Set has a breaker for each host.
type Set struct {
	mutex     sync.Mutex
	breakers  map[string]*Breaker
	threshold int
	coolDown  time.Duration
}

// NewSet makes breakers that open after a number of failures in a row.
func NewSet(threshold int, coolDown time.Duration) *Set {
	return &Set{breakers: map[string]*Breaker{}, threshold: threshold, coolDown: coolDown}
}

// For returns the breaker of a host.
func (s *Set) For(host string) *Breaker {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	known, ok := s.breakers[host]
	if !ok {
		known = &Breaker{threshold: s.threshold, coolDown: s.coolDown}
		s.breakers[host] = known
	}
	return known
}
