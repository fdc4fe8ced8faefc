// Package fetcher is an HTTP client that is polite to servers.
package fetcher

import (
	"context"
	"net/http"
	"time"

	"example.com/fetcher/breaker"
	"example.com/fetcher/cache"
	"example.com/fetcher/limit"
	"example.com/fetcher/retry"
)

// Client sends requests, and protects servers from too many of them.
type Client struct {
	transport http.RoundTripper
	limiter   *limit.PerHost
	breakers  *breaker.Set
	cache     cache.Store
	policy    retry.Policy
}

// Option configures a client.
type Option func(*Client)

// New makes a client with sensible defaults.
func New(options ...Option) *Client {
	client := &Client{
		transport: NewTransport(30 * time.Second),
		limiter:   limit.NewPerHost(10, time.Second),
		breakers:  breaker.NewSet(5, time.Minute),
		cache:     cache.NewMemory(1 << 20),
		policy:    retry.Default(),
	}
	for _, option := range options {
		option(client)
	}
	return client
}

// WithPolicy replaces the retry policy.
func WithPolicy(policy retry.Policy) Option {
	return func(client *Client) { client.policy = policy }
}

// Do sends a request and returns its response.
func (c *Client) Do(ctx context.Context, request *http.Request) (*http.Response, error) {
	if response, ok := c.cache.Lookup(request); ok {
		return response, nil
	}
	host := request.URL.Host
	return retry.Run(ctx, c.policy, request, func() (*http.Response, error) {
		if err := c.limiter.Wait(ctx, host); err != nil {
			return nil, err
		}
		return c.breakers.For(host).Call(func() (*http.Response, error) {
			return c.transport.RoundTrip(request)
		})
	})
}
