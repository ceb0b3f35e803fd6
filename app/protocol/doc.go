// Package protocol holds what goes over the wire between the console and iGraph: the records, the
// stream frames and their validation, the error codes and the endpoint table. It knows nothing of
// the network, the store or the page, and is shared by the client and the reference backend.
//
// Encoding uses encoding/json and the field tags. Decoding is done by hand over gjson, for two
// reasons: it is several times faster in the browser, and it can be as lenient as the protocol asks
// (an optional field that is null or of the wrong type counts as absent, JSON values of arguments
// and results are kept byte for byte).
//
// Everything here that iGraph's own documentation does not fix is this project's convention; a
// deployment that differs is fitted by editing endpoints.go and types.go.
package protocol
