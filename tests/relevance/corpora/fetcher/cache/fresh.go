package cache

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// IsCacheable reports whether a response may be kept at all.
func IsCacheable(request *http.Request, response *http.Response) bool {
	control := response.Header.Get("Cache-Control")
	return request.Method == http.MethodGet && response.StatusCode == http.StatusOK && !strings.Contains(control, "no-store")
}

// IsFresh reports whether a kept response is younger than its max-age.
func IsFresh(response *http.Response) bool {
	date, err := http.ParseTime(response.Header.Get("Date"))
	if err != nil {
		return false
	}
	return time.Since(date) < maxAge(response.Header.Get("Cache-Control"))
}

func maxAge(control string) time.Duration {
	for _, directive := range strings.Split(control, ",") {
		if seconds, ok := strings.CutPrefix(strings.TrimSpace(directive), "max-age="); ok {
			n, _ := strconv.Atoi(seconds)
			return time.Duration(n) * time.Second
		}
	}
	return 0
}
