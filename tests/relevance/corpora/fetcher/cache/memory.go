package cache

import (
	"bufio"
	"bytes"
	"container/list"
	"net/http"
	"net/http/httputil"
	"sync"
)

// Memory is a store that drops what was used longest ago.
type Memory struct {
	mutex    sync.Mutex
	maxBytes int
	bytes    int
	order    *list.List
	entries  map[string]*list.Element
}

type entry struct {
	key  string
	dump []byte
}

// NewMemory makes an empty store of limited size.
func NewMemory(maxBytes int) *Memory {
	return &Memory{maxBytes: maxBytes, order: list.New(), entries: map[string]*list.Element{}}
}

// Lookup returns a fresh response to the same request.
func (m *Memory) Lookup(request *http.Request) (*http.Response, bool) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	element, ok := m.entries[request.URL.String()]
	if !ok {
		return nil, false
	}
	m.order.MoveToFront(element)
	reader := bufio.NewReader(bytes.NewReader(element.Value.(*entry).dump))
	response, err := http.ReadResponse(reader, request)
	return response, err == nil && IsFresh(response)
}

// Save keeps a response if its headers allow it.
func (m *Memory) Save(request *http.Request, response *http.Response) {
	if !IsCacheable(request, response) {
		return
	}
	dump, err := httputil.DumpResponse(response, true)
	if err != nil {
		return
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	key := request.URL.String()
	m.entries[key] = m.order.PushFront(&entry{key, dump})
	m.bytes += len(dump)
	for m.bytes > m.maxBytes {
		m.evictOldest()
	}
}

// evictOldest drops the least recently used response.
func (m *Memory) evictOldest() {
	oldest := m.order.Back()
	dropped := m.order.Remove(oldest).(*entry)
	delete(m.entries, dropped.key)
	m.bytes -= len(dropped.dump)
}
