// Package proxy chooses the proxy of a request.
package proxy

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
)

// FromEnvironment returns the proxy that FETCHER_PROXY names, unless the host is excepted.
func FromEnvironment(request *http.Request) (*url.URL, error) {
	address := os.Getenv("FETCHER_PROXY")
	if address == "" || isExcepted(request.URL.Hostname()) {
		return nil, nil
	}
	proxy, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("invalid proxy address %q: %w", address, err)
	}
	return proxy, nil
}

func isExcepted(host string) bool {
	for _, suffix := range strings.Split(os.Getenv("FETCHER_NO_PROXY"), ",") {
		if suffix != "" && strings.HasSuffix(host, suffix) {
			return true
		}
	}
	return false
}
