// Package cookies keeps cookies by domain.
package cookies

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// Jar implements http.CookieJar.
type Jar struct {
	mutex   sync.Mutex
	cookies map[string][]*http.Cookie
}

// SetCookies keeps the cookies of a response.
func (j *Jar) SetCookies(address *url.URL, cookies []*http.Cookie) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	if j.cookies == nil {
		j.cookies = map[string][]*http.Cookie{}
	}
	j.cookies[address.Hostname()] = append(j.cookies[address.Hostname()], cookies...)
}

// Cookies returns the cookies for a request that have not expired.
func (j *Jar) Cookies(address *url.URL) []*http.Cookie {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	var fitting []*http.Cookie
	for domain, cookies := range j.cookies {
		if !strings.HasSuffix(address.Hostname(), domain) {
			continue
		}
		for _, cookie := range cookies {
			if cookie.Expires.IsZero() || cookie.Expires.After(time.Now()) {
				fitting = append(fitting, cookie)
			}
		}
	}
	return fitting
}
