package graphs

// Code names one kind of refusal or finding for machines.
type Code string

// Refusals while loading.
const (
	CodeEmptyFile      Code = "EMPTY_FILE"
	CodeTooLarge       Code = "FILE_TOO_LARGE"
	CodeTooManyNodes   Code = "TOO_MANY_NODES"
	CodeTooManyEdges   Code = "TOO_MANY_EDGES"
	CodeBinary         Code = "BINARY_FILE"
	CodeBadEncoding    Code = "BAD_ENCODING"
	CodeWrongDelimiter Code = "WRONG_DELIMITER"
	CodeMissingColumn  Code = "MISSING_COLUMN"
	CodeMissingHeader  Code = "MISSING_HEADER_COLUMN"
	CodeBadQuotes      Code = "BAD_QUOTES"
	CodeBadWeight      Code = "BAD_WEIGHT"
	CodeBadLabel       Code = "BAD_LABEL"
	CodeNoEdges        Code = "NO_EDGES"
	CodeOnlyLoops      Code = "ONLY_SELF_LOOPS"
	CodeBadJSON        Code = "BAD_JSON"
	CodeJSONShape      Code = "JSON_SHAPE"
	CodeBadXML         Code = "BAD_XML"
	CodeXMLShape       Code = "XML_SHAPE"
)

// Findings while loading.
const (
	NoteDuplicates     Code = "DUPLICATES_MERGED"
	NoteCounted        Code = "DUPLICATES_COUNTED"
	NoteListedTwice    Code = "LISTED_REPEATEDLY"
	NoteSelfLoops      Code = "SELF_LOOPS_IGNORED"
	NoteHeader         Code = "HEADER_READ"
	NoteExtraColumns   Code = "EXTRA_COLUMNS_IGNORED"
	NoteMissingWeights Code = "MISSING_WEIGHTS"
	NoteUTF16          Code = "UTF16_DECODED"
	NoteLabels         Code = "LABELS_USED"
	NoteHyperedges     Code = "HYPEREDGES_IGNORED"
)

// Refusals of a mutation or an analysis.
const (
	CodeNodeExists   Code = "NODE_EXISTS"
	CodeNodeUnknown  Code = "NODE_UNKNOWN"
	CodeEdgeExists   Code = "EDGE_EXISTS"
	CodeEdgeUnknown  Code = "EDGE_UNKNOWN"
	CodeSelfLoop     Code = "SELF_LOOP"
	CodeConflict     Code = "MUTATION_CONFLICT"
	CodeNoChange     Code = "NOTHING_TO_CHANGE"
	CodeTooSmall     Code = "GRAPH_TOO_SMALL"
	CodeTooDense     Code = "GRAPH_TOO_DENSE"
	CodeBadOptions   Code = "BAD_OPTIONS"
	CodeStoredGraph  Code = "BAD_STORED_GRAPH"
	CodeTooExpensive Code = "ANALYSIS_TOO_LARGE"
)

var messages = map[Code]struct{ en, zh string }{
	CodeEmptyFile: {
		"the file is empty; send a file with one edge per line, for example alice,bob",
		"文件是空的；请发送每行一条边的文件，例如 alice,bob",
	},
	CodeTooLarge: {
		"the file has %[1]d bytes and the limit is %[2]d; send a smaller part of the graph",
		"文件有 %[1]d 字节，上限是 %[2]d 字节；请发送图的一部分",
	},
	CodeTooManyNodes: {
		"the graph has more than %[1]d nodes, which is the limit; send a smaller part of it",
		"图的节点超过上限 %[1]d 个；请发送图的一部分",
	},
	CodeTooManyEdges: {
		"the graph has more than %[1]d edges, which is the limit; send a smaller part of it",
		"图的边超过上限 %[1]d 条；请发送图的一部分",
	},
	CodeBinary: {
		"the file is binary, not text; export the graph as CSV, TSV, GraphML or JSON",
		"文件是二进制数据而不是文本；请把图导出为 CSV、TSV、GraphML 或 JSON",
	},
	CodeBadEncoding: {
		"the text is not valid UTF-8, nor UTF-16 with a byte order mark; save the file as UTF-8",
		"文本不是有效的 UTF-8，也不是带字节序标记的 UTF-16；请把文件另存为 UTF-8",
	},
	CodeWrongDelimiter: {
		"no column separator was found in %[1]q; separate the two ends of an edge by a comma, a tab, a semicolon or a space",
		"在 %[1]q 中找不到列分隔符；请用逗号、制表符、分号或空格分隔边的两端",
	},
	CodeMissingColumn: {
		"an edge needs two ends, but %[1]q gives only one; fill in the missing column or delete the line",
		"一条边需要两个端点，但 %[1]q 只有一个；请补上缺少的列，或删除这一行",
	},
	CodeMissingHeader: {
		"the header %[1]q names one end of the edges but not the other; name both columns, for example source and target",
		"表头 %[1]q 只给出了边的一端；请同时给出两列的名称，例如 源 和 目标",
	},
	CodeBadQuotes: {
		"a quotation mark is not closed or stands inside an unquoted field; quote the whole field and double the marks inside it",
		"引号没有闭合，或出现在未加引号的字段中；请给整个字段加引号，并把其中的引号写两次",
	},
	CodeBadWeight: {
		"the weight %[1]q is not a positive number between 1e-12 and 1e12; correct it or remove the weight column",
		"权重 %[1]q 不是 1e-12 到 1e12 之间的正数；请改正，或删除权重列",
	},
	CodeBadLabel: {
		"the node label %[1]q is empty, longer than %[2]d characters or has control characters; give the node a short name",
		"节点名称 %[1]q 为空、超过 %[2]d 个字符或含有控制字符；请使用简短的名称",
	},
	CodeNoEdges: {
		"no edge was found; send a file with one edge per line, for example alice,bob",
		"没有找到任何边；请发送每行一条边的文件，例如 alice,bob",
	},
	CodeOnlyLoops: {
		"every edge joins a node to itself (self loops: %[1]d), so there is nothing to analyse; check which columns hold the two ends",
		"所有的边都从节点连到自己（%[1]d 个自环），没有可分析的内容；请检查哪两列是边的两端",
	},
	CodeBadJSON: {
		"the JSON cannot be read: %[1]s; check that the file is complete",
		"无法读取 JSON：%[1]s；请检查文件是否完整",
	},
	CodeJSONShape: {
		`the JSON is not a graph in a known form (%[1]s); use {"nodes":[…],"links":[…]}, an adjacency object, or an array of [source, target] pairs`,
		`JSON 不是已知形式的图（%[1]s）；请使用 {"nodes":[…],"links":[…]}、邻接对象，或由 [源, 目标] 组成的数组`,
	},
	CodeBadXML: {
		"the GraphML cannot be read: %[1]s; check that the file is complete",
		"无法读取 GraphML：%[1]s；请检查文件是否完整",
	},
	CodeXMLShape: {
		"the XML is not a GraphML graph (%[1]s); export the graph as GraphML",
		"XML 不是 GraphML 图（%[1]s）；请把图导出为 GraphML",
	},

	NoteDuplicates: {
		"duplicate edges merged, with their weights added up: %[1]d",
		"合并了 %[1]d 条重复的边，权重已相加",
	},
	NoteCounted: {
		"duplicate edges merged: %[1]d; the weight of an edge is how often it occurs",
		"合并了 %[1]d 条重复的边；边的权重是它出现的次数",
	},
	NoteListedTwice: {
		"every edge was listed %[2]d times; duplicate edges merged: %[1]d; all weights stay 1",
		"每条边都列出了 %[2]d 次；合并了 %[1]d 条重复的边，权重保持为 1",
	},
	NoteSelfLoops: {
		"self loops ignored: %[1]d",
		"忽略了 %[1]d 个自环",
	},
	NoteHeader: {
		"the first line was read as a header: %[1]s",
		"第一行被当作表头：%[1]s",
	},
	NoteExtraColumns: {
		"columns other than the two ends and the weight were ignored",
		"忽略了两端和权重之外的列",
	},
	NoteMissingWeights: {
		"edges without a weight, which count as 1: %[1]d",
		"%[1]d 条边没有权重，按 1 计算",
	},
	NoteUTF16: {
		"the file was decoded from UTF-16",
		"文件已从 UTF-16 解码",
	},
	NoteLabels: {
		"nodes are called by their labels instead of their ids",
		"节点使用标签名称，而不是编号",
	},
	NoteHyperedges: {
		"hyperedges ignored: %[1]d",
		"忽略了 %[1]d 条超边",
	},

	CodeNodeExists: {
		"the node %[1]q is already in the graph",
		"节点 %[1]q 已经在图中",
	},
	CodeNodeUnknown: {
		"the graph has no node %[1]q",
		"图中没有节点 %[1]q",
	},
	CodeEdgeExists: {
		"the edge between %[1]q and %[2]q is already in the graph",
		"%[1]q 与 %[2]q 之间的边已经在图中",
	},
	CodeEdgeUnknown: {
		"the graph has no edge between %[1]q and %[2]q",
		"图中没有 %[1]q 与 %[2]q 之间的边",
	},
	CodeSelfLoop: {
		"an edge from %[1]q to itself cannot be added; self loops are kept out of the analyses",
		"不能添加从 %[1]q 到自己的边；分析不包括自环",
	},
	CodeConflict: {
		"%[1]q is both removed and added; do this in two steps",
		"%[1]q 同时被删除和添加；请分两步进行",
	},
	CodeNoChange: {
		"the change names no node and no edge",
		"这个改动没有指明节点或边",
	},
	CodeTooSmall: {
		"training needs at least %[1]d nodes and %[2]d edges; this graph has %[3]d and %[4]d",
		"训练至少需要 %[1]d 个节点和 %[2]d 条边；这个图有 %[3]d 个节点和 %[4]d 条边",
	},
	CodeTooDense: {
		"too few pairs of nodes are unconnected to hold some out for testing; train on a sparser graph",
		"未相连的节点对太少，无法留出测试样本；请使用更稀疏的图",
	},
	CodeBadOptions: {
		"the training options are out of range: %[1]s",
		"训练参数超出范围：%[1]s",
	},
	CodeStoredGraph: {
		"the stored graph cannot be read: %[1]s; load the file again",
		"无法读取已保存的图：%[1]s；请重新加载文件",
	},
	CodeTooExpensive: {
		"this analysis is limited to %[1]d nodes and the graph has %[2]d; analyse a smaller part of it",
		"这项分析最多支持 %[1]d 个节点，而图有 %[2]d 个；请分析图的一部分",
	},
}
