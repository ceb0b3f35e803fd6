package components

import (
	"strconv"

	"github.com/tidwall/gjson"

	"igraph-console/app/protocol"
)

// argChange is one difference between two JSON values. Old or New is "" where the other side has
// nothing there. Both are JSON as it was written: a number is never read as one.
type argChange struct{ Path, Old, New string }

// diffArgs lists what differs between two valid JSON values, in the order of the old one, what was
// added last. Numbers differ if they are written differently, strings if they read differently, and
// the order of members does not matter. Values nested deeper than can be shown differ as a whole.
func diffArgs(before, after string) []argChange {
	if protocol.Depth(before) > maxShownDepth || protocol.Depth(after) > maxShownDepth {
		if before == after {
			return nil
		}
		return []argChange{{"", before, after}}
	}
	var d differ
	d.value("", gjson.Parse(before), gjson.Parse(after))
	return d.changes
}

type differ struct{ changes []argChange }

func (d *differ) value(path string, before, after gjson.Result) {
	switch {
	case before.IsObject() && after.IsObject():
		d.object(path, before, after)
	case before.IsArray() && after.IsArray():
		d.array(path, before, after)
	case !sameScalar(before, after):
		d.add(path, before.Raw, after.Raw)
	}
}

func (d *differ) add(path, before, after string) {
	d.changes = append(d.changes, argChange{path, before, after})
}

func sameScalar(a, b gjson.Result) bool {
	if a.Type == gjson.String && b.Type == gjson.String {
		return a.Str == b.Str
	}
	return a.Type == b.Type && a.Raw == b.Raw
}

// members reads an object. Of members with the same name the last one counts, as for most readers.
func members(object gjson.Result) (names []string, values map[string]gjson.Result) {
	values = map[string]gjson.Result{}
	object.ForEach(func(key, value gjson.Result) bool {
		name := key.String()
		if _, known := values[name]; !known {
			names = append(names, name)
		}
		values[name] = value
		return true
	})
	return names, values
}

func (d *differ) object(path string, before, after gjson.Result) {
	oldNames, oldValues := members(before)
	newNames, newValues := members(after)
	for _, name := range oldNames {
		if value, kept := newValues[name]; kept {
			d.value(memberPath(path, name), oldValues[name], value)
			continue
		}
		d.add(memberPath(path, name), oldValues[name].Raw, "")
	}
	for _, name := range newNames {
		if _, known := oldValues[name]; !known {
			d.add(memberPath(path, name), "", newValues[name].Raw)
		}
	}
}

func (d *differ) array(path string, before, after gjson.Result) {
	was, is := before.Array(), after.Array()
	for i := range max(len(was), len(is)) {
		at := path + "[" + strconv.Itoa(i) + "]"
		switch {
		case i >= len(is):
			d.add(at, was[i].Raw, "")
		case i >= len(was):
			d.add(at, "", is[i].Raw)
		default:
			d.value(at, was[i], is[i])
		}
	}
}
