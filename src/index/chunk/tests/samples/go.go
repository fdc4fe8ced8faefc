// Copyright

// Package p does.
package p

import (
	"fmt"
	x "a.b/c/d"
)

// C doc.
const C = 1

const (
	// A doc
	A = iota
	B
)

// T doc.
type T struct { x.Embed; f map[string]*x.Y }
type I interface { io.Reader; Do(a int) error }
type (
	// Q doc
	Q int
)
var v, w = 1, 2

// M doc.
func (t *T) M(a x.Z) (err error) { t.f.go(); fmt.Println(x.New[int]()); func() {}(); return f(1) }
func (l *List[K]) G() {}
func F[K any](a K) {}

func TestF(t *testing.T) {
	t.Run("adds one", func(t *testing.T) { F(1) })
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { F(2) })
	}
	cmd.Run("not a test", func(n int) {})
}
