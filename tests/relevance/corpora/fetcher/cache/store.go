// Package cache keeps responses that may be used again.
package cache

import "net/http"

// Store keeps responses.
type Store interface {
	Lookup(request *http.Request) (*http.Response, bool)
	Save(request *http.Request, response *http.Response)
}
