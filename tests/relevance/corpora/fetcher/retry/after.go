package retry

import (
	"net/http"
	"strconv"
	"time"
)

// RetryAfter reads the header of that name: seconds, or a date.
func RetryAfter(response *http.Response) (time.Duration, bool) {
	if response == nil {
		return 0, false
	}
	value := response.Header.Get("Retry-After")
	if seconds, err := strconv.Atoi(value); err == nil {
		return time.Duration(seconds) * time.Second, true
	}
	if date, err := http.ParseTime(value); err == nil {
		return time.Until(date), true
	}
	return 0, false
}
