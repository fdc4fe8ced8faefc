package limit

import (
	"testing"
	"time"
)

func TestBucketRefillsAtASteadyRate(t *testing.T) {
	bucket := NewTokenBucket(1, time.Second)
	now := time.Now()
	if bucket.Take(now) != 0 || bucket.Take(now) == 0 {
		t.Fatal("a bucket of one token gives one token")
	}
}
