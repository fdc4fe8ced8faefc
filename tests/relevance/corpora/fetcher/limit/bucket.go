// Package limit keeps the rate of requests below a limit.
package limit

import (
	"context"
	"sync"
	"time"
)

// TokenBucket gives out tokens at a steady rate, and saves some for a burst.
type TokenBucket struct {
	mutex    sync.Mutex
	tokens   float64
	capacity float64
	perSec   float64
	last     time.Time
}

// NewTokenBucket makes a full bucket.
func NewTokenBucket(capacity int, per time.Duration) *TokenBucket {
	rate := float64(capacity) / per.Seconds()
	return &TokenBucket{tokens: float64(capacity), capacity: float64(capacity), perSec: rate, last: time.Now()}
}

// Take removes a token, or says how long to wait for one.
func (b *TokenBucket) Take(now time.Time) time.Duration {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.refill(now)
	if b.tokens >= 1 {
		b.tokens--
		return 0
	}
	return time.Duration((1 - b.tokens) / b.perSec * float64(time.Second))
}

func (b *TokenBucket) refill(now time.Time) {
	elapsed := now.Sub(b.last).Seconds()
	b.tokens = min(b.capacity, b.tokens+elapsed*b.perSec)
	b.last = now
}

// Wait blocks until a token is free or the context ends.
func (b *TokenBucket) Wait(ctx context.Context) error {
	for {
		wait := b.Take(time.Now())
		if wait == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
}
