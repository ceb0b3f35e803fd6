package sim

import "strings"

// Storage keeps values in memory. Copies of the reference share what is kept, as tabs do.
type Storage map[string]string

// Load implements wire.Storage.
func (s Storage) Load(name string) (string, bool) { v, ok := s[name]; return v, ok }

// Save implements wire.Storage.
func (s Storage) Save(name, value string) error { s[name] = value; return nil }

// Remove implements wire.Storage.
func (s Storage) Remove(name string) { delete(s, name) }

// Names implements wire.Storage.
func (s Storage) Names(prefix string) (names []string) {
	for name := range s {
		if strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	return names
}
