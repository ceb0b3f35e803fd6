package agent

import (
	"fmt"
	"strings"
	"testing"

	"igraph-console/cmd/serve/graphs"
)

const labelled = "张三,李四\n李四,王五\nAlice Smith,Bob\nBob,R and D\n1,34\n34,3\n3,5\n5,6\nv1.2,5\nA-1,B-2\nmy node,edge case\n"

func labelledGraph(t testing.TB) *graphs.Graph {
	t.Helper()
	g, err := graphs.Load("labels.csv", []byte(labelled), graphs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// understood writes down what is understood of a text.
func understood(g *graphs.Graph, text string) string {
	n := names{g}
	var all []string
	for _, task := range understand(text).tasks {
		entry := tools[task.kind]
		clause, weight := weightOf(task.clause)
		switch task.kind {
		case taskPath, taskAddEdge, taskRemoveEdge:
			from, to, ok := n.pair(clause)
			if !ok {
				from, to = "?", "?"
			}
			entry += fmt.Sprintf("(%s/%s", from, to)
			if weight != 0 {
				entry += fmt.Sprint("/", weight)
			}
			entry += ")"
		case taskAddNode, taskRemoveNode:
			entry += "(" + strings.Join(n.objects(task.clause), "/") + ")"
		case taskNeighbours:
			entry += "(" + n.centre(task.clause) + ")"
		case taskTrain:
			o := trainOptions(task.clause)
			entry += fmt.Sprintf("(%d/%d/%v)", o.Epochs, o.Dim, o.LR)
		}
		all = append(all, entry)
	}
	return strings.Join(all, " ")
}

func TestRequestsAreUnderstood(t *testing.T) {
	g := labelledGraph(t)
	for text, want := range map[string]string{
		"Summarise the graph":             "describe_graph",
		"How many nodes are there?":       "describe_graph",
		"what is the density":             "describe_graph",
		"这个图有多少节点":                        "describe_graph",
		"请描述一下":                           "describe_graph",
		"平均聚类系数是多少":                       "describe_graph",
		"degree distribution":             "degree_distribution",
		"which nodes are hubs?":           "degree_distribution",
		"度分布":                             "degree_distribution",
		"连接最多的节点":                         "degree_distribution",
		"PageRank":                        "pagerank",
		"run page rank please":            "pagerank",
		"计算 PageRank":                     "pagerank",
		"who matters most?":               "pagerank betweenness",
		"Who are the key players":         "pagerank betweenness",
		"谁最重要":                            "pagerank betweenness",
		"找出关键节点":                          "pagerank betweenness",
		"betweenness centrality":          "betweenness",
		"who are the brokers":             "betweenness",
		"介数中心性":                           "betweenness",
		"哪些节点是桥梁":                         "betweenness",
		"find communities":                "communities",
		"有哪些社区？":                          "communities",
		"划分社群":                            "communities",
		"shortest path from 1 to 34":      "shortest_path(1/34)",
		"path 1 -> 34":                    "shortest_path(1/34)",
		"how far is 1 from 34?":           "shortest_path(1/34)",
		"distance between Bob and 5":      "shortest_path(Bob/5)",
		"path from alice smith to BOB":    "shortest_path(Alice Smith/Bob)",
		`path from "R and D" to Bob`:      "shortest_path(R and D/Bob)",
		"path from R and D to Bob":        "shortest_path(R and D/Bob)",
		"route from Bob to R and D":       "shortest_path(Bob/R and D)",
		"path between Bob and R and D":    "shortest_path(Bob/R and D)",
		"path from v1.2 to 6.":            "shortest_path(v1.2/6)",
		"path from A-1 to B-2":            "shortest_path(A-1/B-2)",
		"最短路径 从 张三 到 王五":                  "shortest_path(张三/王五)",
		"从张三到王五的最短路径":                     "shortest_path(张三/王五)",
		"张三到王五的最短路径是什么？":                  "shortest_path(张三/王五)",
		"张三号和王五号之间的最短路径":                  "shortest_path(张三/王五)",
		"张三和王五之间的距离":                      "shortest_path(张三/王五)",
		"从“张三”到“王五”的路径":                   "shortest_path(张三/王五)",
		"shortest path from Zed to 34":    "shortest_path(Zed/34)",
		"小明到王五的最短路径":                      "shortest_path(小明/王五)",
		"shortest path":                   "shortest_path(?/?)",
		"neighbours of 3":                 "neighbours(3)",
		"neighbors of node 3":             "neighbours(3)",
		"Who is connected to Bob?":        "neighbours(Bob)",
		"Alice Smith's neighbours":        "neighbours(Alice Smith)",
		"李四的邻居":                           "neighbours(李四)",
		"请问李四的邻居有哪些？":                     "neighbours(李四)",
		"邻居：李四":                           "neighbours(李四)",
		"与李四相连的节点":                        "neighbours(李四)",
		"neighbours of nobody":            "neighbours(nobody)",
		"show the neighbours":             "neighbours()",
		"train a link predictor":          "train(40/16/0.05)",
		"train for 20 epochs with dim 8":  "train(20/8/0.05)",
		"predict missing links":           "train(40/16/0.05)",
		"训练链接预测，30 轮，学习率 0.1":             "train(30/16/0.1)",
		"预测可能新增的边":                        "train(40/16/0.05)",
		"add node Tom":                    "add_node(Tom)",
		"add nodes Tom and Jerry":         "add_node(Tom/Jerry)",
		`add a node called "Tom, Jr."`:    "add_node(Tom, Jr.)",
		"添加节点 小刚":                         "add_node(小刚)",
		"新增一个节点叫做小刚":                      "add_node(小刚)",
		"remove node 5":                   "remove_node(5)",
		"remove node 5 and its edges":     "remove_node(5)",
		"delete Bob":                      "remove_node(Bob)",
		"delete nodes 5, 6":               "remove_node(5/6)",
		"删除节点 5":                          "remove_node(5)",
		"把节点张三删除":                         "remove_node(张三)",
		"删除张三":                            "remove_node(张三)",
		"删除节点5和它的所有边":                     "remove_node(5)",
		"add an edge between 1 and 5":     "add_edge(1/5)",
		"add edge 1-5 with weight 2.5":    "add_edge(1/5/2.5)",
		"connect Alice Smith and Tom":     "add_edge(Alice Smith/Tom)",
		"在张三和王五之间添加一条边，权重为 2":             "add_edge(张三/王五/2)",
		"添加从张三到王五的边":                      "add_edge(张三/王五)",
		"添加节点张三和王五之间的边":                   "add_edge(张三/王五)",
		"把 5 和 1 连接起来":                    "add_edge(5/1)",
		"remove the edge between 5 and 6": "remove_edge(5/6)",
		"delete the link from 5 to 6":     "remove_edge(5/6)",
		"删除张三和李四之间的边":                     "remove_edge(张三/李四)",
		"把张三和李四之间的边删掉":                    "remove_edge(张三/李四)",
		"断开张三和李四":                         "remove_edge(张三/李四)",

		"which communities are there, and who matters most?":               "communities pagerank betweenness",
		"有哪些社区？谁最重要？":                                                      "communities pagerank betweenness",
		"remove node 5, then add node 7 and tell me about the communities": "remove_node(5) add_node(7) communities",
		"删除节点5然后告诉我社区":                                                     "remove_node(5) communities",
		"PageRank, pagerank and page rank":                                 "pagerank",
		"neighbours of 3 and then neighbours of 5":                         "neighbours(3) neighbours(5)",
		"create an overview of the edges":                                  "describe_graph",
		"hello":                                                            "",
		"":                                                                 "",
		"???":                                                              "",
		"😀😀":                                                               "",
		"今天天气怎么样":                                                          "",
	} {
		if got := understood(g, text); got != want {
			t.Errorf("%q is understood as %q, want %q", text, got, want)
		}
	}
}

func TestHelpIsRecognised(t *testing.T) {
	for _, text := range []string{"help", "What can you do?", "帮助", "你能做什么？"} {
		if req := understand(text); !req.help {
			t.Errorf("%q is no request for help", text)
		}
	}
}

func FuzzUnderstandNeverPanics(f *testing.F) {
	for _, seed := range []string{"path from 1 to 34", "从张三到王五的最短路径", "add edge \"a\" - 'b' weight 1e9", "删除节点，。、", "\x000\x00 \x009\x00", "remove node \xff"} {
		f.Add(seed)
	}
	g := labelledGraph(f)
	f.Fuzz(func(t *testing.T, text string) {
		understood(g, text)
		Title(text)
		if strings.Join(pieces(text), "") != text {
			t.Errorf("the pieces of %q do not make it up", text)
		}
	})
}

func BenchmarkUnderstandLongText(b *testing.B) {
	g := labelledGraph(b)
	text := "shortest path from nobody to " + strings.Repeat("someone and another to ", 2000)
	for b.Loop() {
		understood(g, text)
	}
}
