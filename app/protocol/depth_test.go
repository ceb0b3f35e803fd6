package protocol_test

import (
	"strings"
	"testing"

	"igraph-console/app/protocol"
)

func TestDeepJSONIsValidatedAsShallowJSONIs(t *testing.T) {
	for _, depth := range []int{10, 499, 501, 5000} {
		for _, c := range []struct {
			value string
			valid bool
		}{
			{nested(depth), true},
			{strings.Repeat(`{"a":[`, depth/2) + strings.Repeat(`]}`, depth/2), true},
			{strings.Repeat("[", depth) + strings.Repeat("]", depth-1) + "}", false},
			{strings.Repeat("[", depth) + "1 2" + strings.Repeat("]", depth), false},
		} {
			_, err := protocol.DecodeFrame(frameOf(`{"type":"tool_end","call_id":"c","status":"succeeded","result":` + c.value + `}`))
			if (err == nil) != c.valid {
				t.Errorf("depth %d, value %.20s…: error %v, want valid %t", depth, c.value, err, c.valid)
			}
		}
	}
}
