// Package trace measures the phases of a request.
package trace

import (
	"net/http/httptrace"
	"time"
)

// Timings are the moments of a request.
type Timings struct {
	Start, DNSDone, Connected, FirstByte time.Time
}

// Hooks returns hooks that fill in the timings.
func (t *Timings) Hooks() *httptrace.ClientTrace {
	t.Start = time.Now()
	return &httptrace.ClientTrace{
		DNSDone:              func(httptrace.DNSDoneInfo) { t.DNSDone = time.Now() },
		ConnectDone:          func(string, string, error) { t.Connected = time.Now() },
		GotFirstResponseByte: func() { t.FirstByte = time.Now() },
	}
}
