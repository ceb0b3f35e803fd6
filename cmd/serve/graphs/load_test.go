package graphs

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"
)

// outline is a graph in a line: nodes, then edges with their weights.
func outline(g *Graph) string {
	var b strings.Builder
	b.WriteString(strings.Join(g.Nodes(), " "))
	b.WriteString(" |")
	for _, e := range g.Edges() {
		arrow := "-"
		if g.Directed() {
			arrow = ">"
		}
		fmt.Fprintf(&b, " %s%s%s", e.From, arrow, e.To)
		if g.Weighted() {
			fmt.Fprintf(&b, ":%v", e.Weight)
		}
	}
	return b.String()
}

func noteCodes(g *Graph) string {
	var codes []string
	for _, n := range g.Notes() {
		codes = append(codes, string(n.Code))
	}
	return strings.Join(codes, " ")
}

func utf16Bytes(order binary.AppendByteOrder, text string) string {
	data := order.AppendUint16(nil, 0xFEFF)
	for _, u := range utf16.Encode([]rune(text)) {
		data = order.AppendUint16(data, u)
	}
	return string(data)
}

const graphMLHead = `<?xml version="1.0" encoding="UTF-8"?><graphml xmlns="http://graphml.graphdrawing.org/xmlns">`

func TestLoadReadsEveryForm(t *testing.T) {
	for _, c := range []struct {
		rule, file, data, want, notes string
	}{
		{"comma", "g.csv", "a,b\nb,c\n", "a b c | a-b b-c", ""},
		{"no final line end", "g.csv", "a,b\nb,c", "a b c | a-b b-c", ""},
		{"CRLF", "g.csv", "a,b\r\nb,c\r\n", "a b c | a-b b-c", ""},
		{"lone CR", "g.csv", "a,b\rb,c\r", "a b c | a-b b-c", ""},
		{"tab", "g.tsv", "a b\tc d\nc d\te\n", "a b c d e | a b-c d c d-e", ""},
		{"semicolon with decimal comma", "g.csv", "a;b;1,5\nb;c;2\n", "a b c | a-b:1.5 b-c:2", ""},
		{"full-width comma", "g.csv", "甲，乙\n乙，丙\n", "甲 乙 丙 | 甲-乙 乙-丙", ""},
		{"white space", "g.txt", "1 2\n2   3\n 3\t4\n", "1 2 3 4 | 1-2 2-3 3-4", ""},
		{"white space with attributes", "g.edgelist", "1 2 {}\n2 3 {'weight': 2.5}\n", "1 2 3 | 1-2:1 2-3:2.5", "MISSING_WEIGHTS"},
		{"quoted with white space", "g.txt", "\"a b\" c\n", "a b c | a b-c", ""},
		{"tabs in a file called csv", "g.csv", "a\tb\nb\tc\n", "a b c | a-b b-c", ""},
		{"weights without a header", "g.csv", "a,b,2\nb,c,0.5\n", "a b c | a-b:2 b-c:0.5", ""},
		{"header with weight", "g.csv", "source,target,weight\na,b,2\n", "a b | a-b:2", "HEADER_READ"},
		{"header in another order", "g.csv", "weight,to,from\n2,b,a\n", "a b | a-b:2", "HEADER_READ"},
		{"header in capitals", "g.csv", "Source,Target\na,b\n", "a b | a-b", "HEADER_READ"},
		{"Chinese header", "g.csv", "源,目标,权重\n甲,乙,3\n", "甲 乙 | 甲-乙:3", "HEADER_READ"},
		{"another Chinese header", "g.csv", "起点,终点\n甲,乙\n", "甲 乙 | 甲-乙", "HEADER_READ"},
		{"unknown header over numbers", "g.csv", "person,friend\n1,2\n2,3\n", "1 2 3 | 1-2 2-3", "HEADER_READ"},
		{"unknown header over a weight", "g.csv", "person,friend,strength\na,b,1.5\n", "a b | a-b:1.5", "HEADER_READ"},
		{"type column", "g.csv", "Source,Target,Type\na,b,Directed\nb,a,Directed\n", "a b | a>b b>a", "HEADER_READ"},
		{"extra columns", "g.csv", "a,b,x,y\nb,c,x,y\n", "a b c | a-b b-c", "EXTRA_COLUMNS_IGNORED"},
		{"quoted fields", "g.csv", "\"a, b\",\"say \"\"c\"\"\"\n", "a, b say \"c\" | a, b-say \"c\"", ""},
		{"blank behind the comma", "g.csv", "a, b\n\"b\", \"c\"\n", "a b c | a-b b-c", ""},
		{"comments and blank lines", "g.csv", "# one\n\n% two\na,b\n\n,\n  # three, with a comma\nb,c\n", "a b c | a-b b-c", ""},
		{"byte order mark", "g.csv", "\xEF\xBB\xBFsource,target\na,b\n", "a b | a-b", "HEADER_READ"},
		{"UTF-16 little endian", "g.csv", utf16Bytes(binary.LittleEndian, "张三,李四\r\n李四,😀\r\n"), "张三 李四 😀 | 张三-李四 李四-😀", "UTF16_DECODED"},
		{"UTF-16 big endian", "g.csv", utf16Bytes(binary.BigEndian, "a,b\n"), "a b | a-b", "UTF16_DECODED"},
		{"duplicates counted", "g.csv", "a,b\nb,a\nb,c\n", "a b c | a-b:2 b-c:1", "DUPLICATES_COUNTED"},
		{"weights of duplicates added", "g.csv", "a,b,1\na,b,2.5\nb,c,1\n", "a b c | a-b:3.5 b-c:1", "DUPLICATES_MERGED"},
		{"symmetric listing", "g.csv", "a,b\nb,a\nb,c\nc,b\n", "a b c | a-b b-c", "LISTED_REPEATEDLY"},
		{"self loops", "g.csv", "a,a\na,b\nc,c\n", "a b c | a-b", "SELF_LOOPS_IGNORED"},
		{"missing weights", "g.csv", "a,b,2\nb,c,\nc,d,3\n", "a b c d | a-b:2 b-c:1 c-d:3", "MISSING_WEIGHTS"},
		{"large integer ids", "g.csv", "9007199254740993,9007199254740992\n", "9007199254740993 9007199254740992 | 9007199254740993-9007199254740992", ""},

		{"node-link", "g.json", `{"nodes":[{"id":"a"},{"id":"b"},{"id":"z"}],"links":[{"source":"a","target":"b","weight":2}]}`, "a b z | a-b:2", ""},
		{"node-link with edges, directed", "g.json", `{"directed":true,"nodes":["a","b"],"edges":[["b","a"]]}`, "a b | b>a", ""},
		{"links by place", "g.json", `{"nodes":[{"name":"Ann"},{"name":"Bo"}],"links":[{"source":0,"target":1,"value":3}]}`, "Ann Bo | Ann-Bo:3", ""},
		{"labels instead of ids", "g.json", `{"nodes":[{"id":1,"label":"甲"},{"id":2,"label":"乙"}],"edges":[{"from":1,"to":2}]}`, "甲 乙 | 甲-乙", "LABELS_USED"},
		{"ids where labels repeat", "g.json", `{"nodes":[{"id":1,"label":"x"},{"id":2,"label":"x"}],"edges":[[1,2]]}`, "1 2 | 1-2", ""},
		{"adjacency arrays", "g.json", `{"b":["a","c"],"a":["b"],"c":["b"]}`, "b a c | b-a b-c", ""},
		{"adjacency weights", "g.json", `{"a":{"b":2,"c":{"weight":3}},"b":{"a":2}}`, "a b c | a-b:2 a-c:3", ""},
		{"pairs", "g.json", `[["a","b"],[1,2],["b","a"]]`, "a b 1 2 | a-b:2 1-2:1", "DUPLICATES_COUNTED"},
		{"pairs with weights", "g.json", `[["a","b",2]]`, "a b | a-b:2", ""},
		{"edge objects", "g.json", `[{"source":"a","target":"b","weight":"1.5"},{"from":"b","to":"c"}]`, "a b c | a-b:1.5 b-c:1", "MISSING_WEIGHTS"},
		{"JSON by content", "upload", ` [["a","b"]]`, "a b | a-b", ""},
		{"large integers in JSON", "g.json", `[[9007199254740993,9007199254740992]]`, "9007199254740993 9007199254740992 | 9007199254740993-9007199254740992", ""},

		{"GraphML", "g.graphml", graphMLHead + `<graph edgedefault="undirected"><node id="a"/><node id="b"/><edge source="a" target="b"/></graph></graphml>`, "a b | a-b", ""},
		{"GraphML directed and weighted", "g.graphml", graphMLHead + `<key id="w" for="edge" attr.name="weight"><default>4</default></key><graph edgedefault="directed"><node id="a"/><node id="b"/><edge source="b" target="a"><data key="w"> 2.5 </data></edge><edge source="a" target="b"/></graph></graphml>`, "a b | a>b:4 b>a:2.5", ""},
		{"GraphML labels", "g.xml", graphMLHead + `<key id="l" for="node" attr.name="label"/><graph edgedefault="undirected"><node id="n0"><data key="l">甲</data></node><node id="n1"><data key="l">乙</data></node><edge source="n0" target="n1"/></graph></graphml>`, "甲 乙 | 甲-乙", "LABELS_USED"},
		{"GraphML nested", "g.graphml", graphMLHead + `<graph edgedefault="undirected"><node id="a"><graph><node id="b"/></graph></node><edge source="a" target="b"/><hyperedge/></graph></graphml>`, "a b | a-b", "HYPEREDGES_IGNORED"},
		{"GraphML in UTF-16", "g.graphml", utf16Bytes(binary.LittleEndian, `<?xml version="1.0" encoding="UTF-16"?><graphml><graph><edge source="甲" target="乙"/></graph></graphml>`), "甲 乙 | 甲-乙", "UTF16_DECODED"},
		{"GraphML by content", "upload.txt", graphMLHead + `<graph><edge source="a" target="b"/></graph></graphml>`, "a b | a-b", ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			g, err := Load(c.file, []byte(c.data), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := outline(g); got != c.want {
				t.Errorf("graph is %q, want %q", got, c.want)
			}
			if got := noteCodes(g); got != c.notes {
				t.Errorf("notes are %q, want %q", got, c.notes)
			}
		})
	}
}

func TestLoadRefusesMalformedFiles(t *testing.T) {
	noise := make([]byte, 10<<20)
	chacha := rand.NewChaCha8([32]byte{1})
	if _, err := chacha.Read(noise); err != nil {
		t.Fatal(err)
	}
	manyNodes := &bytes.Buffer{}
	for i := range MaxNodes + 1 {
		fmt.Fprintf(manyNodes, "0,%d\n", i+1)
	}
	manyEdges := &bytes.Buffer{}
	for i := range 500 {
		for j := range 500 {
			fmt.Fprintf(manyEdges, "a%d,b%d\n", i, j)
		}
	}
	for _, c := range []struct {
		rule, file, data string
		code             Code
		line             int
	}{
		{"empty", "g.csv", "", CodeEmptyFile, 0},
		{"only a byte order mark", "g.csv", "\xEF\xBB\xBF", CodeEmptyFile, 0},
		{"only blank lines", "g.csv", "\n \n\t\n", CodeEmptyFile, 0},
		{"only comments", "g.csv", "# a\n% b\n", CodeNoEdges, 0},
		{"only a header", "g.csv", "source,target\n", CodeNoEdges, 0},
		{"only self loops", "g.csv", "a,a\nb,b\n", CodeOnlyLoops, 0},
		{"no delimiter", "g.csv", "a:b\nb:c\n", CodeWrongDelimiter, 1},
		{"no delimiter below a comment", "g.csv", "# edges\n\na:b\nb:c\n", CodeWrongDelimiter, 3},
		{"prose", "g.txt", "This is a letter.\nIt has no edges at all, or so.\nYours truly\n", CodeWrongDelimiter, 1},
		{"one column short", "g.csv", "a,b\nb\nc,d\n", CodeMissingColumn, 2},
		{"one column empty", "g.csv", "a,b\n\n\"\",c\n", CodeMissingColumn, 3},
		{"one column short with blanks", "g.txt", "1 2\n2\n3 4\n", CodeMissingColumn, 2},
		{"half a header", "g.csv", "source,weight\na,1\n", CodeMissingHeader, 1},
		{"open quote", "g.csv", "a,b\n\"b,c\n", CodeBadQuotes, 2},
		{"stray quote", "g.csv", "a,b\nb,c\"d\n", CodeBadQuotes, 2},
		{"text as weight", "g.csv", "a,b,1\nb,c,much\nc,d,2\n", CodeBadWeight, 2},
		{"negative weight", "g.csv", "source,target,weight\na,b,-1\n", CodeBadWeight, 2},
		{"zero weight", "g.csv", "a,b,0\n", CodeBadWeight, 1},
		{"infinite weight", "g.csv", "a,b,Inf\n", CodeBadWeight, 1},
		{"NaN as weight", "g.csv", "a,b,NaN\n", CodeBadWeight, 1},
		{"weights that add up to too much", "g.csv", "a,b,1e12\na,b,1e12\n", CodeBadWeight, 0},
		{"long label", "g.csv", "a,b\na," + strings.Repeat("x", MaxLabel+1) + "\n", CodeBadLabel, 2},
		{"control character in a label", "g.csv", "a,b\na,\"b\nc\"\n" + strings.Repeat("padding,line\n", 20), CodeBadLabel, 2},
		{"binary noise", "g.csv", string(noise), CodeBinary, 0},
		{"UTF-16 without a mark", "g.csv", "a\x00,\x00b\x00", CodeBinary, 0},
		{"odd UTF-16", "g.csv", "\xFF\xFEa", CodeBadEncoding, 0},
		{"half a surrogate pair", "g.csv", "\xFF\xFE\x3D\xD8,\x00b\x00", CodeBadEncoding, 0},
		{"GBK", "g.csv", "\xD5\xC5\xC8\xFD,\xC0\xEE\xCB\xC4\n", CodeBadEncoding, 0},
		{"too many bytes", "g.csv", strings.Repeat("a", MaxBytes+1), CodeTooLarge, 0},
		{"too many nodes", "g.csv", manyNodes.String(), CodeTooManyNodes, MaxNodes},
		{"too many edges", "g.csv", manyEdges.String(), CodeTooManyEdges, MaxEdges + 1},
		{"cut JSON", "g.json", "{\"nodes\": [\n{\"id\": 1}", CodeBadJSON, 2},
		{"trailing JSON", "g.json", "[[1,2]]\n[[3,4]]", CodeBadJSON, 2},
		{"text called JSON", "g.json", "a,b\n", CodeBadJSON, 1},
		{"deep JSON", "g.json", strings.Repeat("[", 100_000), CodeBadJSON, 1},
		{"scalar JSON", "g.json", "3", CodeJSONShape, 0},
		{"other JSON", "g.json", `{"name":"x"}`, CodeJSONShape, 0},
		{"edge without a target", "g.json", `{"nodes":[],"links":[{"source":"a"}]}`, CodeJSONShape, 0},
		{"node without an id", "g.json", `{"nodes":[{}],"links":[]}`, CodeJSONShape, 0},
		{"four elements", "g.json", `[[1,2,3,4]]`, CodeJSONShape, 0},
		{"JSON without edges", "g.json", `{"nodes":[{"id":1}],"links":[]}`, CodeNoEdges, 0},
		{"empty JSON object", "g.json", `{}`, CodeNoEdges, 0},
		{"empty JSON label", "g.json", `[["","b"]]`, CodeBadLabel, 0},
		{"negative JSON weight", "g.json", `[["a","b",-2]]`, CodeBadWeight, 0},
		{"text as JSON weight", "g.json", `[["a","b","much"]]`, CodeJSONShape, 0},
		{"cut XML", "g.graphml", "<graphml>\n<graph>", CodeBadXML, 2},
		{"XML cut inside a node", "g.graphml", "<graphml>\n<graph>\n<node id=\"a\">", CodeBadXML, 3},
		{"crossed XML", "g.graphml", "<graphml><graph></graphml></graph>", CodeBadXML, 1},
		{"text called GraphML", "g.graphml", "a,b", CodeXMLShape, 0},
		{"other XML", "g.xml", "<svg><graph/></svg>", CodeXMLShape, 0},
		{"GraphML without edges", "g.graphml", `<graphml><graph><node id="a"/></graph></graphml>`, CodeNoEdges, 0},
		{"GraphML edge without a target", "g.graphml", "<graphml><graph>\n<edge source=\"a\"/></graph></graphml>", CodeMissingColumn, 2},
		{"GraphML node without an id", "g.graphml", "<graphml><graph>\n<node/></graph></graphml>", CodeXMLShape, 2},
		{"GraphML weight that is text", "g.graphml", "<graphml><key id=\"w\" for=\"edge\" attr.name=\"weight\"/><graph>\n<edge source=\"a\" target=\"b\"><data key=\"w\">x</data></edge></graph></graphml>", CodeBadWeight, 2},
	} {
		t.Run(c.rule, func(t *testing.T) {
			_, err := Load(c.file, []byte(c.data), Options{})
			var refused *Error
			if !errors.As(err, &refused) {
				t.Fatalf("error is %v, want code %s", err, c.code)
			}
			if refused.Code != c.code || refused.Line != c.line {
				t.Errorf("refused with %s at line %d, want %s at line %d (%v)", refused.Code, refused.Line, c.code, c.line, err)
			}
			checkWording(t, refused.EN, refused.ZH)
		})
	}
}

// checkWording holds for messages that are worded in both languages and leave
// no argument unformatted.
func checkWording(t *testing.T, en, zh string) {
	t.Helper()
	for _, text := range []string{en, zh} {
		if text == "" || strings.Contains(text, "%!") || len(text) > 1000 {
			t.Errorf("bad wording %q", text)
		}
	}
	if !strings.ContainsFunc(zh, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
		t.Errorf("%q is not Chinese", zh)
	}
}

func TestEveryMessageIsWordedInBothLanguages(t *testing.T) {
	for code, m := range messages {
		if strings.Count(m.en, "%[") != strings.Count(m.zh, "%[") {
			t.Errorf("%s: the languages take different arguments", code)
		}
		if m.en == "" || m.zh == "" {
			t.Errorf("%s is not worded in both languages", code)
		}
	}
}

func TestLoadReadsDirectedWhereAsked(t *testing.T) {
	g, err := Load("g.csv", []byte("a,b\nb,a\n"), Options{Directed: true})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := outline(g), "a b | a>b b>a"; got != want {
		t.Errorf("graph is %q, want %q", got, want)
	}
}

func TestKarateIsTheClubOfTheLiterature(t *testing.T) {
	g := Karate()
	if g.NodeCount() != 34 || g.EdgeCount() != 78 || g.Directed() || g.Weighted() || len(g.Notes()) > 0 {
		t.Errorf("got %d nodes, %d edges, directed %v, weighted %v, notes %v", g.NodeCount(), g.EdgeCount(), g.Directed(), g.Weighted(), g.Notes())
	}
	if !g.HasEdge("34", "33") || g.HasEdge("1", "34") {
		t.Error("members 33 and 34 met outside the club, 1 and 34 did not")
	}
}

func TestStoredGraphsComeBackAsTheyWere(t *testing.T) {
	for _, data := range []string{"a,b\nb,c\n", "甲,乙,2\n乙,丙,0.5\n丙,丙,1\n", "a,b\nb,a\na,c\n"} {
		for _, directed := range []bool{false, true} {
			g, err := Load("g.csv", []byte(data), Options{Directed: directed})
			if err != nil {
				t.Fatal(err)
			}
			stored, err := g.MarshalJSON()
			if err != nil {
				t.Fatal(err)
			}
			var back Graph
			if err := back.UnmarshalJSON(stored); err != nil {
				t.Fatal(err)
			}
			if outline(&back) != outline(g) || back.Name() != g.Name() || !slices.Equal(back.Notes(), g.Notes()) {
				t.Errorf("stored %q came back as %q", outline(g), outline(&back))
			}
		}
	}
}

func TestDamagedStoredGraphsAreRefused(t *testing.T) {
	for _, data := range []string{
		``, `3`, `{}`,
		`{"weights":"none","nodes":["a","a"],"edges":[]}`,
		`{"weights":"none","nodes":["a",""],"edges":[]}`,
		`{"weights":"none","nodes":["a","b"],"edges":[[0,2]]}`,
		`{"weights":"none","nodes":["a","b"],"edges":[[0,0.5]]}`,
		`{"weights":"none","nodes":["a","b"],"edges":[[1,0]]}`,
		`{"weights":"none","nodes":["a","b"],"edges":[[0,1],[0,1]]}`,
		`{"weights":"given","nodes":["a","b"],"edges":[[0,1]]}`,
		`{"weights":"given","nodes":["a","b"],"edges":[[0,1,-1]]}`,
	} {
		var g Graph
		err := g.UnmarshalJSON([]byte(data))
		var refused *Error
		if !errors.As(err, &refused) || refused.Code != CodeStoredGraph {
			t.Errorf("%s: error is %v, want code %s", data, err, CodeStoredGraph)
		}
	}
}

func FuzzLoadNeverPanicsAndKeepsItsRules(f *testing.F) {
	for _, seed := range []string{
		"a,b\nb,c,1\n", "source\ttarget\n1\t2\n", "1 2 {'weight': 3}\n", "\"a\",b\n# x\n", "\xFF\xFEa\x00,\x00b\x00",
		`{"nodes":[{"id":1}],"links":[{"source":0,"target":1}]}`, `[["a","b",2]]`, `{"a":["b"],"b":{"c":1}}`,
		graphMLHead + `<key id="w" attr.name="weight"/><graph><node id="a"><data key="w">1</data></node><edge source="a" target="b"/></graph></graphml>`,
	} {
		for _, name := range []string{"g.csv", "g.json", "g.graphml", "g"} {
			f.Add(name, []byte(seed), false)
		}
	}
	f.Fuzz(func(t *testing.T, name string, data []byte, directed bool) {
		g, err := Load(name, data, Options{Directed: directed})
		if err != nil {
			var refused *Error
			if !errors.As(err, &refused) {
				t.Fatalf("error %v has no code", err)
			}
			// A message quotes the file, so it may hold any marks but no length.
			if refused.EN == "" || refused.ZH == "" || len(refused.EN) > 1000 || len(refused.ZH) > 1000 {
				t.Fatalf("bad wording %q, %q", refused.EN, refused.ZH)
			}
			return
		}
		if g.EdgeCount() == 0 || g.EdgeCount() > MaxEdges || g.NodeCount() > MaxNodes {
			t.Fatalf("loaded %d nodes and %d edges", g.NodeCount(), g.EdgeCount())
		}
		stored, err := g.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		var back Graph
		if err := back.UnmarshalJSON(stored); err != nil {
			t.Fatalf("a loaded graph cannot be stored: %v", err)
		}
		if outline(&back) != outline(g) {
			t.Fatalf("stored %q came back as %q", outline(g), outline(&back))
		}
	})
}

func BenchmarkLoadLargestCSV(b *testing.B) {
	rnd := rand.New(rand.NewPCG(1, 1))
	var data bytes.Buffer
	for range MaxEdges {
		fmt.Fprintf(&data, "%d,%d\n", rnd.IntN(MaxNodes), rnd.IntN(MaxNodes))
	}
	b.SetBytes(int64(data.Len()))
	for b.Loop() {
		if _, err := Load("g.csv", data.Bytes(), Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
