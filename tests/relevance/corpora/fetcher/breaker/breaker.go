// Package breaker stops requests to a host that is down.
package breaker

import (
	"errors"
	"net/http"
	"sync"
	"time"
)

// ErrOpen is returned while the circuit is open.
var ErrOpen = errors.New("circuit breaker is open: the host failed too often")

// State of a circuit.
type State int

const (
	Closed State = iota
	Open
	HalfOpen
)

// Breaker counts failures in a row, and opens after too many.
type Breaker struct {
	mutex     sync.Mutex
	state     State
	failures  int
	threshold int
	coolDown  time.Duration
	openedAt  time.Time
}

// Call runs an action unless the circuit is open.
func (b *Breaker) Call(action func() (*http.Response, error)) (*http.Response, error) {
	if !b.admit(time.Now()) {
		return nil, ErrOpen
	}
	response, err := action()
	b.record(err == nil && response.StatusCode < 500)
	return response, err
}

// admit lets one probe through after the cool-down.
func (b *Breaker) admit(now time.Time) bool {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.state == Open && now.Sub(b.openedAt) >= b.coolDown {
		b.state = HalfOpen
		return true
	}
	return b.state == Closed
}

func (b *Breaker) record(success bool) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if success {
		b.state, b.failures = Closed, 0
		return
	}
	b.failures++
	if b.failures >= b.threshold || b.state == HalfOpen {
		b.state, b.openedAt = Open, time.Now()
	}
}
