package limit

import (
	"context"
	"sync"
	"time"
)

// PerHost has a bucket of tokens for each host.
type PerHost struct {
	mutex    sync.Mutex
	buckets  map[string]*TokenBucket
	capacity int
	per      time.Duration
}

// NewPerHost limits requests to each host separately.
func NewPerHost(capacity int, per time.Duration) *PerHost {
	return &PerHost{buckets: map[string]*TokenBucket{}, capacity: capacity, per: per}
}

// Wait blocks until a request to the host is within its limit.
func (p *PerHost) Wait(ctx context.Context, host string) error {
	p.mutex.Lock()
	bucket, ok := p.buckets[host]
	if !ok {
		bucket = NewTokenBucket(p.capacity, p.per)
		p.buckets[host] = bucket
	}
	p.mutex.Unlock()
	return bucket.Wait(ctx)
}
