package act

import (
	"errors"

	"igraph-console/app/protocol"
	"igraph-console/app/store"
	"igraph-console/app/wire"
)

var errNoAnswer = errors.New("no usable answer")

// upload is a file on its way. The file itself is opaque: only the network knows its type.
type upload struct {
	sid    string
	file   any
	cancel func()
}

// Attach uploads a file for the next message of a session.
func (a *Acts) Attach(sid, name string, size int64, file any) {
	f := store.File{ID: a.NewID(), Name: name, Size: size, State: store.FileUploading}
	a.changeFiles(sid, func(files []store.File) []store.File { return append(files, f) })
	if a.uploads == nil {
		a.uploads = map[string]*upload{}
	}
	a.uploads[f.ID] = &upload{sid: sid, file: file}
	a.upload(f.ID)
}

func (a *Acts) upload(id string) {
	u := a.uploads[id]
	req := wire.Request{Method: "POST", Path: protocol.PathFiles, File: u.file}
	u.cancel = wire.Call(a.Client, req, protocol.DecodeUpload, func(up protocol.Upload, e *protocol.Error) {
		a.setFile(id, func(f *store.File) {
			if e != nil {
				f.State, f.Err = store.FileFailed, e
				return
			}
			f.State, f.Err, f.Token = store.FileReady, nil, up.FileToken
		})
		a.saveFiles(u.sid)
	})
}

// RetryUpload uploads one failed file again.
func (a *Acts) RetryUpload(id string) {
	failed := false
	a.setFile(id, func(f *store.File) {
		if failed = f.State == store.FileFailed; failed {
			f.State, f.Err = store.FileUploading, nil
		}
	})
	if failed {
		a.upload(id)
	}
}

// RemoveFile takes an attachment off the message; an upload under way is disconnected.
func (a *Acts) RemoveFile(sid, id string) {
	if u := a.uploads[id]; u != nil {
		u.cancel()
		sid = u.sid
		delete(a.uploads, id)
	}
	a.changeFiles(sid, func(files []store.File) []store.File {
		var kept []store.File
		for _, f := range files {
			if f.ID != id {
				kept = append(kept, f)
			}
		}
		return kept
	})
	a.saveFiles(sid)
}

func (a *Acts) setFile(id string, change func(*store.File)) {
	u := a.uploads[id]
	if u == nil {
		return
	}
	a.changeFiles(u.sid, func(files []store.File) []store.File {
		for i := range files {
			if files[i].ID == id {
				change(&files[i])
			}
		}
		return files
	})
}

func (a *Acts) changeFiles(sid string, change func([]store.File) []store.File) {
	a.update(func(tx *store.Tx) {
		c := tx.Composers[sid]
		c.Files = change(append([]store.File(nil), c.Files...))
		tx.SetComposer(sid, c)
	})
}
