package components

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/app/protocol"
	"igraph-console/locales"
)

// errorText says in the person's language what failed, with the HTTP status where there is one. The
// server's own words follow it where it has any.
func (p *Page) errorText(e *protocol.Error) string {
	text := p.errorCause(e)
	if status := itoa(e.Status); e.Status != 0 && !strings.Contains(text, status) {
		text += " " + p.T(locales.ConnStatus, locales.A("Status", status))
	}
	if e.Message == "" || !e.JSON {
		return text
	}
	return p.T(locales.ErrorSays, locales.A("Text", text), locales.A("Message", shorten(e.Message, 400)))
}

func (p *Page) errorCause(e *protocol.Error) string {
	status := itoa(e.Status)
	switch e.Code {
	case protocol.CodeNetwork:
		return p.T(locales.ErrorNetwork)
	case protocol.CodeBadFrame:
		return p.T(locales.ErrorFrame)
	case protocol.CodeVersion:
		return p.T(locales.ErrorVersion)
	case protocol.CodeBadContentType:
		return p.T(locales.ErrorContentType, locales.A("Status", status))
	case protocol.CodeRunActive:
		return p.T(locales.ErrorRunActive)
	}
	switch {
	case e.Status == 401 || e.Status == 403:
		return p.T(locales.ErrorSignIn, locales.A("Status", status))
	case e.Status == 429 || e.Status == 503:
		return p.T(locales.ErrorBusy, locales.A("Status", status))
	case e.Status != 0 && strings.HasPrefix(e.Code, protocol.CodeHTTPPrefix):
		return p.T(locales.ErrorHttp, locales.A("Status", status))
	case e.Status != 0:
		return p.T(locales.ErrorCode, locales.A("Status", status), locales.A("Code", e.Code))
	}
	return p.T(locales.ErrorUnexpected, locales.A("Code", e.Code))
}

// errorLine is an error where it happened.
func errorLine(p *Page, e *protocol.Error) app.UI {
	return app.P().Class("error").Attr(hook("error")).Attr("data-code", e.Code).Body(
		icon("alert"), app.Span().Text(p.errorText(e)))
}
