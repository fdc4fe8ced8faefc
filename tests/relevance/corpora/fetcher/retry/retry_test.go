package retry

import (
	"net/http"
	"testing"
)

func TestShouldRetryOnlyIdempotentRequests(t *testing.T) {
	request, _ := http.NewRequest(http.MethodPost, "http://example.com", nil)
	if ShouldRetry(request, nil, http.ErrHandlerTimeout) {
		t.Fatal("a POST must not be retried")
	}
}

func TestRetryAfterInSeconds(t *testing.T) {
	response := &http.Response{Header: http.Header{"Retry-After": {"7"}}}
	if after, ok := RetryAfter(response); !ok || after.Seconds() != 7 {
		t.Fatalf("got %v", after)
	}
}
