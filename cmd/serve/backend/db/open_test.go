package db

import (
	"path/filepath"
	"testing"
)

func TestDirectoriesOfAnyNameCanBeUsed(t *testing.T) {
	t.Chdir(t.TempDir())
	absolute := filepath.Join(t.TempDir(), "data")
	for _, dir := range []string{"data", "./here/data", "数据 100%?#", absolute} {
		for range 2 { // made, and found again
			d, err := Open(t.Context(), dir)
			if err != nil {
				t.Fatalf("open %q: %v", dir, err)
			}
			if err := d.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if found, err := filepath.Glob(filepath.Join(filepath.Dir(dir), "*", "igraph.db")); err != nil || len(found) == 0 {
			t.Errorf("there is no database in %q (%v)", dir, err)
		}
	}
}
