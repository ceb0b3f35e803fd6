package backend

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"

	"github.com/google/uuid"

	"igraph-console/app/protocol"
	"igraph-console/cmd/serve/backend/db"
	"igraph-console/cmd/serve/graphs"
)

// maxName bounds a file name, in bytes.
const maxName = 1024

// upload stores a file. Any text is taken: what is wrong with a graph file is best told in the
// answer that uses it, in the language of that turn and with the line.
func (s *Server) upload(w http.ResponseWriter, r *http.Request) *apiError {
	// A little more than a file, for the form around it.
	r.Body = http.MaxBytesReader(w, r.Body, graphs.MaxBytes+1<<20)
	parts, err := r.MultipartReader()
	if err != nil {
		return fail(http.StatusBadRequest, codeFileRequired, "the request must be a form with the field file")
	}
	part, failure := filePart(parts)
	if failure != nil {
		return failure
	}
	name, ok := fileName(part)
	if !ok {
		return fail(http.StatusBadRequest, codeFileRequired, "the file needs a name of at most 1024 bytes")
	}
	content, err := io.ReadAll(io.LimitReader(part, graphs.MaxBytes+1))
	if tooLarge := new(http.MaxBytesError); len(content) > graphs.MaxBytes || errors.As(err, &tooLarge) {
		return fail(http.StatusRequestEntityTooLarge, protocol.CodeFileTooLarge, "the file is larger than 20 MB")
	}
	if err != nil {
		return fail(http.StatusBadRequest, codeBadRequest, "the file did not arrive whole")
	}
	if len(content) == 0 {
		return fail(http.StatusUnprocessableEntity, protocol.CodeFileEmpty, "the file is empty")
	}
	if binary(content) {
		return fail(http.StatusUnsupportedMediaType, protocol.CodeFileType, "the file is no text; graphs come as CSV, TSV, GraphML or JSON")
	}
	u := db.Upload{Token: uuid.NewString(), Filename: name, Size: int64(len(content)), CreatedAt: s.now()}
	if err := s.db.SaveUpload(r.Context(), u, bytes.NewReader(content)); err != nil {
		return internalError(err)
	}
	s.log.Info("file uploaded", "token", u.Token, "size", u.Size)
	s.writeJSON(w, http.StatusOK, protocol.Upload{FileToken: u.Token, Filename: u.Filename, Size: u.Size})
	return nil
}

// filePart finds the field of the file.
func filePart(parts *multipart.Reader) (*multipart.Part, *apiError) {
	for {
		part, err := parts.NextPart()
		if err == io.EOF {
			return nil, fail(http.StatusBadRequest, codeFileRequired, "the form has no field file")
		}
		if err != nil {
			return nil, fail(http.StatusBadRequest, codeBadRequest, "the form did not arrive whole")
		}
		if part.FormName() == "file" {
			return part, nil
		}
	}
}

// browserEscapes undoes what browsers do to the three characters that a form cannot carry in a
// file's name.
var browserEscapes = strings.NewReplacer("%22", `"`, "%0D", "\r", "%0A", "\n")

// fileName reads the name as the person's system has it. It is shown and never used as a path, so
// nothing is taken off it.
func fileName(part *multipart.Part) (string, bool) {
	_, params, err := mime.ParseMediaType(part.Header.Get("Content-Disposition"))
	if err != nil {
		return "", false
	}
	name := strings.ToValidUTF8(browserEscapes.Replace(params["filename"]), "\uFFFD")
	return name, name != "" && len(name) <= maxName
}

// binary reports whether content is certainly no text. Text in UTF-16 has zero bytes as well, but
// begins with a mark; text in an old encoding is left to the loader, which says what to do.
func binary(content []byte) bool {
	if bytes.HasPrefix(content, []byte{0xFF, 0xFE}) || bytes.HasPrefix(content, []byte{0xFE, 0xFF}) {
		return false
	}
	for _, magic := range []string{"%PDF-", "PK\x03\x04", "\x89PNG", "\xff\xd8\xff", "GIF8", "\x1f\x8b"} {
		if bytes.HasPrefix(content, []byte(magic)) {
			return true
		}
	}
	return bytes.IndexByte(content, 0) >= 0
}
