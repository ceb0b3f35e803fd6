package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/andybalholm/brotli"
)

// hashDigits is the length of the hash in a file's name.
const hashDigits = 10

// bundle is the directory being written.
type bundle struct {
	dir   string
	quick bool              // leave out brotli
	names map[string]string // names in the bundle by the files' own
	sizes []size
}

func newBundle(dir string, quick bool) *bundle {
	return &bundle{dir: dir, quick: quick, names: map[string]string{}}
}

// addHashed adds a file under a name that changes with its content, so that it
// can be kept for ever by whoever fetched it.
func (b *bundle) addHashed(name string, data []byte) error {
	sum := sha256.Sum256(data)
	ext := path.Ext(name)
	hashed := strings.TrimSuffix(name, ext) + "." + hex.EncodeToString(sum[:])[:hashDigits] + ext
	return b.add(name, hashed, data)
}

// add adds a file and its compressed forms.
func (b *bundle) add(name, stored string, data []byte) error {
	b.names[name] = stored
	old, err := os.ReadFile(filepath.Join(b.dir, stored))
	changed := err != nil || !bytes.Equal(old, data)
	if changed {
		// Before the file itself: what is beside it must never be another's.
		if err := b.removePacked(stored); err != nil {
			return err
		}
		if err := b.replace(stored, data); err != nil {
			return err
		}
	}
	if err := b.addPacked(stored+".gz", data, gzipped); err != nil {
		return fmt.Errorf("compress %s: %w", name, err)
	}
	if !b.quick {
		if err := b.addPacked(stored+".br", data, brotlied); err != nil {
			return fmt.Errorf("compress %s: %w", name, err)
		}
	}
	b.sizes = append(b.sizes, size{name, len(data), b.length(stored + ".br")})
	return nil
}

// addPacked adds data compressed, unless that is there already: the best
// compression of the program takes half a minute.
func (b *bundle) addPacked(name string, data []byte, compress func([]byte) ([]byte, error)) error {
	if b.length(name) > 0 {
		return nil
	}
	packed, err := compress(data)
	if err != nil {
		return err
	}
	return b.replace(name, packed)
}

// length of a file in the bundle, 0 if it is not there.
func (b *bundle) length(name string) int {
	info, err := os.Stat(filepath.Join(b.dir, name))
	if err != nil {
		return 0
	}
	return int(info.Size())
}

func (b *bundle) removePacked(stored string) error {
	for _, suffix := range []string{".br", ".gz"} {
		err := os.Remove(filepath.Join(b.dir, stored+suffix))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// replace writes a file in one step: a build that is interrupted leaves no half
// file for the next one to take as finished.
func (b *bundle) replace(name string, data []byte) error {
	file := filepath.Join(b.dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(file+".part", data, 0o644); err != nil {
		return err
	}
	return os.Rename(file+".part", file)
}

// removeOld removes what earlier builds left of the same files. Anything else in
// the directory is not the bundle's to remove.
func (b *bundle) removeOld() error {
	for name, stored := range b.names {
		ext := path.Ext(name)
		hash := strings.Repeat("[0-9a-f]", hashDigits)
		old, err := filepath.Glob(filepath.Join(b.dir, strings.TrimSuffix(name, ext)+"."+hash+ext+"*"))
		if err != nil {
			return err
		}
		for _, file := range old {
			if strings.HasPrefix(filepath.Base(file), stored) {
				continue
			}
			if err := os.Remove(file); err != nil {
				return err
			}
		}
	}
	return nil
}

func brotlied(data []byte) ([]byte, error) {
	var packed bytes.Buffer
	err := pack(brotli.NewWriterLevel(&packed, brotli.BestCompression), data)
	return packed.Bytes(), err
}

func gzipped(data []byte) ([]byte, error) {
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	err = pack(w, data)
	return packed.Bytes(), err
}

func pack(w io.WriteCloser, data []byte) error {
	_, err := w.Write(data)
	return errors.Join(err, w.Close())
}
