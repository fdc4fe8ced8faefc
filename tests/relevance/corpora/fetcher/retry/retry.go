// Package retry decides whether and when a request is sent again.
package retry

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// Policy says how often and how long to wait.
type Policy struct {
	MaxAttempts int
	Base        time.Duration
	Ceiling     time.Duration
}

// Default is three attempts, from half a second.
func Default() Policy {
	return Policy{MaxAttempts: 3, Base: 500 * time.Millisecond, Ceiling: 10 * time.Second}
}

// Run sends a request until it succeeds, is not worth another attempt, or the context ends.
func Run(ctx context.Context, policy Policy, request *http.Request, send func() (*http.Response, error)) (*http.Response, error) {
	for attempt := 1; ; attempt++ {
		response, err := send()
		if !ShouldRetry(request, response, err) {
			return response, err
		}
		if attempt >= policy.MaxAttempts {
			return nil, fmt.Errorf("giving up on %s after %d attempts", request.URL, attempt)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(policy.wait(attempt, response)):
		}
	}
}

// ShouldRetry reports whether a request is idempotent and failed in a way that may pass.
func ShouldRetry(request *http.Request, response *http.Response, err error) bool {
	if !isIdempotent(request.Method) {
		return false
	}
	if err != nil {
		return true
	}
	return response.StatusCode == http.StatusTooManyRequests || response.StatusCode >= 500
}

func isIdempotent(method string) bool {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPut, http.MethodDelete:
		return true
	}
	return false
}

func (p Policy) wait(attempt int, response *http.Response) time.Duration {
	if after, ok := RetryAfter(response); ok {
		return after
	}
	wait := p.Base << (attempt - 1)
	return min(wait, p.Ceiling)
}
