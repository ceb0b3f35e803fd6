package agent

import "fmt"

// key names one text that people read.
type key string

// speaker words texts in the language of a turn.
type speaker struct{ chinese bool }

func speak(language string) speaker { return speaker{language == Chinese} }

// say formats a text. Both languages take the same arguments and name them by
// position where the order differs.
func (s speaker) say(k key, args ...any) string {
	t := texts[k]
	format := t.en
	if s.chinese {
		format = t.zh
	}
	if len(args) == 0 {
		return format
	}
	return fmt.Sprintf(format, args...)
}

// title is the name of a step and of a section for a kind of task.
func (s speaker) title(k taskKind) string { return s.say(key("title_" + tools[k])) }

// texts is everything the agent says, apart from the messages of the graphs
// package. It is content of the answer, not of anybody's user interface.
var texts = map[key]struct{ en, zh string }{
	"title_load_graph":          {"Load the graph", "加载图"},
	"title_describe_graph":      {"Describe the graph", "描述图的概况"},
	"title_degree_distribution": {"Degree distribution", "度分布"},
	"title_pagerank":            {"PageRank", "PageRank 排名"},
	"title_betweenness":         {"Betweenness", "介数中心性"},
	"title_communities":         {"Communities", "社区划分"},
	"title_shortest_path":       {"Shortest path", "最短路径"},
	"title_neighbours":          {"Neighbours", "邻居"},
	"title_train":               {"Train a link predictor", "训练链接预测模型"},
	"title_add_node":            {"Add a node", "添加节点"},
	"title_remove_node":         {"Remove a node", "删除节点"},
	"title_add_edge":            {"Add an edge", "添加边"},
	"title_remove_edge":         {"Remove an edge", "删除边"},
	"title_answer":              {"Write the answer", "撰写回答"},

	"help": {
		"I work on graphs, by fixed rules and without a language model. This is what you can ask:",
		"我按固定规则处理图，不使用语言模型。你可以这样问：",
	},
	"unknown": {
		"I did not recognise a request in that. I work on graphs, by fixed rules and without a language model, so plain wording helps. This is what you can ask:",
		"我没有从中识别出请求。我按固定规则处理图，不使用语言模型，所以请用简单的说法。你可以这样问：",
	},
	"help_table": {
		`| You want | For example |
|---|---|
| an overview | Describe the graph |
| degrees | Show the degree distribution |
| important nodes | Who matters most? |
| rankings by one measure | PageRank · Betweenness |
| communities | Which communities are there? |
| a path | Shortest path from 1 to 34 |
| neighbours | Neighbours of 3 |
| predicted edges | Train a link predictor for 40 epochs |
| changes (you approve each one) | Add an edge between 5 and 20 · Remove node 12 |
| the sample graph | Load the karate club |`,
		`| 你想要 | 例如 |
|---|---|
| 概况 | 描述这个图 |
| 度 | 显示度分布 |
| 重要节点 | 谁最重要？ |
| 单项排名 | PageRank · 介数中心性 |
| 社区 | 有哪些社区？ |
| 路径 | 从 1 到 34 的最短路径 |
| 邻居 | 3 的邻居 |
| 预测的边 | 训练链接预测模型，40 轮 |
| 改动（每一项都由你批准） | 在 5 和 20 之间添加边 · 删除节点 12 |
| 示例图 | 加载空手道俱乐部 |`,
	},
	"help_files": {
		"Attach an edge list (CSV, TSV, GraphML or JSON) to work on your own graph. Several requests may stand in one message.",
		"附上边列表（CSV、TSV、GraphML 或 JSON）即可分析你自己的图。一条消息可以包含多个请求。",
	},

	"graph_line": {
		"**%[1]s** has %[2]s nodes and %[3]s edges (%[4]s, %[5]s).",
		"**%[1]s** 有 %[2]s 个节点、%[3]s 条边（%[4]s，%[5]s）。",
	},
	"directed":        {"directed", "有向"},
	"undirected":      {"undirected", "无向"},
	"weights_none":    {"unweighted", "无权"},
	"weights_given":   {"weighted", "加权"},
	"weights_counted": {"weighted by how often an edge occurs", "以边出现的次数为权重"},
	"used_karate":     {"No graph was attached, so this is the built-in karate club.", "没有附上图，因此使用内置的空手道俱乐部图。"},
	"last_attachment": {"Of the attached files, the last one is the graph of this session now.", "在附上的文件中，最后一个成为本会话的图。"},
	"loading_notes":   {"While loading:", "加载时："},
	"load_failed":     {"The file %[1]s could not be loaded: %[2]s.", "无法加载文件 %[1]s：%[2]s。"},
	"not_done":        {"The rest was not done, because there is no graph to do it on.", "其余步骤没有执行，因为没有可用的图。"},
	"failed":          {"This did not work: %[1]s.", "未能完成：%[1]s。"},
	"tool_stopped":    {"This was stopped before it finished, so there is no result.", "这一步在完成前被停止，因此没有结果。"},
	"cancelled_error": {"cancelled", "已取消"},
	"did_you_mean":    {"Did you mean %[1]s?", "你是想说 %[1]s 吗？"},
	"or":              {" or ", " 还是 "},
	"no_names_path":   {"the request does not say which two nodes; ask for example “shortest path from 1 to 34”", "请求没有说明是哪两个节点；例如“从 1 到 34 的最短路径”"},
	"no_name_centre":  {"the request does not say whose neighbours; ask for example “neighbours of 3”", "请求没有说明是谁的邻居；例如“3 的邻居”"},
	"no_names_change": {"the request does not say what to change; ask for example “remove node 12” or “add an edge between 5 and 20”", "请求没有说明要改什么；例如“删除节点 12”或“在 5 和 20 之间添加边”"},
	"empty_graph":     {"the graph has no nodes left; load a graph first", "图中已没有节点；请先加载图"},
	"summary_line": {
		"It has a density of %[1]s, a mean degree of %[2]s and an average clustering of %[3]s; connected components: %[4]s.",
		"密度为 %[1]s，平均度为 %[2]s，平均聚类系数为 %[3]s；连通分量：%[4]s 个。",
	},
	"separator_list":   {", ", "、"},
	"and_more":         {"… %[1]s more", "…… 还有 %[1]s 个"},
	"first_of":         {"The first %[1]s of %[2]s.", "前 %[1]s 个，共 %[2]s 个。"},
	"bad_edited_args":  {"the edited arguments cannot be used: %[1]s", "修改后的参数无法使用：%[1]s"},
	"column_measure":   {"Measure", "指标"},
	"column_value":     {"Value", "数值"},
	"column_rank":      {"#", "#"},
	"column_node":      {"Node", "节点"},
	"column_score":     {"Score", "得分"},
	"column_degree":    {"Degree", "度"},
	"column_nodes":     {"Nodes", "节点数"},
	"column_share":     {"Share", "占比"},
	"column_size":      {"Size", "大小"},
	"column_members":   {"Members", "成员"},
	"column_step":      {"Step", "步"},
	"column_weight":    {"Weight", "权重"},
	"column_direction": {"Direction", "方向"},
	"column_from":      {"From", "起点"},
	"column_to":        {"To", "终点"},
	"column_before":    {"Before", "之前"},
	"column_after":     {"After", "之后"},
	"column_question":  {"Asked", "请求"},

	"nodes":             {"Nodes", "节点"},
	"edges":             {"Edges", "边"},
	"density":           {"Density", "密度"},
	"components":        {"Connected components", "连通分量"},
	"largest_component": {"Nodes in the largest component", "最大连通分量的节点"},
	"isolated":          {"Isolated nodes", "孤立节点"},
	"mean_degree":       {"Mean degree", "平均度"},
	"max_degree":        {"Largest degree", "最大度"},
	"clustering":        {"Average clustering", "平均聚类系数"},
	"transitivity":      {"Transitivity", "传递性"},
	"diameter":          {"Diameter (hops)", "直径（跳数）"},
	"diameter_unknown":  {"not measured, the graph is too large", "图太大，未计算"},

	"degrees_line": {
		"Degrees go from %[1]s to %[2]s, with a mean of %[3]s and a median of %[4]s. **%[5]s** has the most edges.",
		"度从 %[1]s 到 %[2]s，平均 %[3]s，中位数 %[4]s。**%[5]s** 的边最多。",
	},
	"pagerank_line": {
		"By PageRank, **%[1]s** matters most (%[2]s)%[3]s.",
		"按 PageRank，**%[1]s** 最重要（%[2]s）%[3]s。",
	},
	"compare_title": {"Where they differ", "差异所在"},
	"compare_same": {
		"Both measures put **%[1]s** first.",
		"两种度量都把 **%[1]s** 排在第一位。",
	},
	"compare_leaders": {
		"PageRank puts **%[1]s** first, betweenness **%[2]s**.",
		"PageRank 把 **%[1]s** 排在第一位，介数则是 **%[2]s**。",
	},
	"compare_most": {
		"Among the leading nodes, **%[1]s** differs most: place %[2]s by PageRank, place %[3]s by betweenness.",
		"在靠前的节点中，**%[1]s** 的差异最大：按 PageRank 排第 %[2]s，按介数排第 %[3]s。",
	},
	"compare_why": {
		"PageRank is high for a node with many well-connected neighbours; betweenness is high for one that lies on the shortest paths between others.",
		"PageRank 高，说明节点有许多自身也连接良好的邻居；介数高，说明它处在其他节点之间的最短路径上。",
	},
	"betweenness_line": {
		"By betweenness, **%[1]s** stands between others most (%[2]s)%[3]s.",
		"按介数，**%[1]s** 最常处于其他节点之间（%[2]s）%[3]s。",
	},
	"followed_by":         {", followed by %[1]s", "，其次是 %[1]s"},
	"betweenness_none":    {"No node stands on a shortest path between two others.", "没有节点位于其他节点之间的最短路径上。"},
	"betweenness_sampled": {"The graph is large, so this is an estimate from %[1]s of %[2]s nodes.", "图较大，因此这是根据 %[2]s 个节点中的 %[1]s 个估计的。"},
	"communities_line": {
		"There are **%[1]s communities** with a modularity of %[2]s (%[3]s). The largest has %[4]s nodes.",
		"共有 **%[1]s 个社区**，模块度为 %[2]s（%[3]s）。最大的有 %[4]s 个节点。",
	},
	"communities_one":          {"There is **one community**: the whole graph, with a modularity of %[1]s (%[2]s).", "只有 **一个社区**：整个图，模块度为 %[1]s（%[2]s）。"},
	"method_louvain":           {"Louvain method", "Louvain 方法"},
	"method_label_propagation": {"label propagation, as the graph is large", "标签传播，因为图较大"},
	"path_line": {
		"The shortest path from **%[1]s** to **%[2]s** (hops: %[3]s) is %[4]s.",
		"从 **%[1]s** 到 **%[2]s** 的最短路径有 %[3]s 跳：%[4]s。",
	},
	"path_cost":       {"Its cost is %[1]s; the weights were taken as costs. Ask for “fewest hops” to ignore them.", "总代价为 %[1]s；权重被当作代价。如要忽略权重，请问“最少跳数”。"},
	"path_none":       {"There is no path from **%[1]s** to **%[2]s**.", "从 **%[1]s** 到 **%[2]s** 没有路径。"},
	"path_same":       {"**%[1]s** is both the start and the end, so the path has no hops.", "**%[1]s** 既是起点也是终点，路径为 0 跳。"},
	"neighbours_line": {"**%[1]s** has these neighbours (degree %[2]s): %[3]s.", "**%[1]s** 的邻居（度为 %[2]s）：%[3]s。"},
	"neighbours_none": {"**%[1]s** has no neighbours.", "**%[1]s** 没有邻居。"},
	"direction_out":   {"out", "出"},
	"direction_in":    {"in", "入"},
	"train_line": {
		"The link predictor reached an **AUC of %[1]s** on %[2]s held-out edges, best at epoch %[3]s of %[4]s.",
		"链接预测模型在 %[2]s 条留出的边上达到 **AUC %[1]s**，第 %[3]s 轮最好（共 %[4]s 轮）。",
	},
	"train_weak":      {"An AUC near 0.5 is no better than guessing, so the predictions below mean little.", "AUC 接近 0.5 等于猜测，下面的预测意义不大。"},
	"train_predicted": {"The likeliest new edges:", "最可能出现的新边："},
	"train_cancelled": {"The training was stopped after epoch %[1]s of %[2]s; nothing of it was kept.", "训练在第 %[1]s 轮（共 %[2]s 轮）后被停止，没有保留结果。"},
	"train_auc":       {"AUC (held out)", "AUC（留出）"},
	"train_loss":      {"Loss (training)", "训练损失"},
	"train_val_loss":  {"Loss (held out)", "留出损失"},
	"train_edges":     {"Training edges", "训练边"},
	"train_dim":       {"Factors per node", "每个节点的因子数"},

	"change_reason": {
		"This changes the stored graph of the session, which never happens without a person's approval.",
		"这会改变本会话保存的图，没有人的批准不会执行。",
	},
	"summary_add_node":    {"Add the node %[1]s", "添加节点 %[1]s"},
	"summary_remove_node": {"Remove the node %[1]s (edges lost with it: %[2]s)", "删除节点 %[1]s（同时失去的边：%[2]s 条）"},
	"summary_add_edge":    {"Add an edge between %[1]s and %[2]s", "在 %[1]s 和 %[2]s 之间添加一条边"},
	"summary_remove_edge": {"Remove the edge between %[1]s and %[2]s", "删除 %[1]s 和 %[2]s 之间的边"},
	"summary_new_nodes":   {" (new: %[1]s)", "（新节点：%[1]s）"},
	"changed":             {"Done: %[1]s.", "已完成：%[1]s。"},
	"changed_modified":    {"Done with your changes to the arguments: %[1]s.", "已按你修改的参数完成：%[1]s。"},
	"rejected":            {"You rejected this: %[1]s. The graph stays as it is.", "你拒绝了这一项：%[1]s。图保持不变。"},
	"expired":             {"The request expired before it was decided: %[1]s. The graph stays as it is.", "请求在决定之前已过期：%[1]s。图保持不变。"},
	"comment":             {"Your comment: “%[1]s”", "你的意见：“%[1]s”"},

	"report_title":   {"Report on %[1]s", "%[1]s 分析报告"},
	"report_summary": {"Summary", "摘要"},
	"report_method":  {"Method and limits", "方法与局限"},
	"report_method_text": {
		"The figures were computed with fixed seeds: the same graph gives the same report. Self loops are left out and parallel edges are merged. PageRank uses a damping of 0.85; betweenness counts hops and is scaled to 0–1. A community or a predicted edge is a statistical finding, not a fact about the people or things behind the nodes.",
		"所有数值都以固定的随机种子计算：同一个图得到同一份报告。不包括自环，重复的边已合并。PageRank 的阻尼系数为 0.85；介数按跳数计算并缩放到 0–1。社区和预测的边是统计结果，不代表节点背后的人或事物的事实。",
	},

	"think_asked":   {"The request asks for: %[1]s.", "请求的内容：%[1]s。"},
	"think_files":   {"Attached files to load first: %[1]s.", "先要加载 %[1]s 个附件。"},
	"think_graph":   {"The session's graph is %[1]s with %[2]s nodes and %[3]s edges.", "会话中的图是 %[1]s，有 %[2]s 个节点、%[3]s 条边。"},
	"think_none":    {"There is no graph yet, so I take the built-in karate club.", "还没有图，因此使用内置的空手道俱乐部图。"},
	"think_change":  {"A change needs approval, so I will show what it does and wait.", "改动需要批准，所以我会先说明影响并等待。"},
	"think_order":   {"I take the steps in the order they were asked and write the answer from their results.", "我按提出的顺序执行各步，并根据结果撰写回答。"},
	"think_working": {"Working on it: %[1]s.", "正在处理：%[1]s。"},
	"think_lost":    {"No rule matches this text, so I will say what can be asked.", "没有规则匹配这段文字，因此我会说明可以问什么。"},

	"skill_name":        {"Graph review: %[1]s", "图分析：%[1]s"},
	"skill_description": {"Repeats these %[1]d steps on another graph.", "在另一个图上重复这 %[1]d 个步骤。"},
	"skill_body":        {"Steps, in this order:", "按顺序执行以下步骤："},
	"skill_request":     {"It began with the request: %[1]s", "最初的请求：%[1]s"},
}
