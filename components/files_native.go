//go:build !js

package components

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// filesOf reads a FileList. There is none outside the browser.
func filesOf(app.Value) []pickedFile { return nil }
