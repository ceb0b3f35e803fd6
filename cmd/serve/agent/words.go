package agent

import "regexp"

// rule is a pattern that recognises one thing in a clause.
type rule struct {
	task    taskKind
	pattern *regexp.Regexp
}

// terms are phrases that would be mistaken for part of another one; a clause is
// searched for them first and they are blanked out for the rules that follow.
var terms = []rule{
	{taskBetweenness, regexp.MustCompile(`(?i)between[\s-]?ness(?:\s+centralit(?:y|ies))?|介数(?:中心性)?|中介中心性`)},
	{taskPageRank, regexp.MustCompile(`(?i)page[\s-]?rank|网页排名`)},
	{taskDescribe, regexp.MustCompile(`(?i)clustering\s+coefficient|聚类系数|平均度|(?:average|mean)\s+degree`)},
	{taskDegrees, regexp.MustCompile(`(?i)degree\s+(?:distribution|centrality|sequence)|度(?:的)?分布|度中心性`)},
	{taskTrain, regexp.MustCompile(`(?i)link\s+predict(?:ion|or)s?|(?:链接|链路|连接|边)\s*预测`)},
}

// analyses recognise what is asked of a graph as it is.
var analyses = []rule{
	{taskPath, regexp.MustCompile(`(?i)\b(?:shortest|quickest|cheapest)\b|\b(?:paths?|routes?|distance)\b|\bhow far\b|\bhow\b.*\b(?:reach|get)\b.*\bfrom\b|最短|路径|距离|多远|怎么(?:走)?到`)},
	{taskNeighbours, regexp.MustCompile(`(?i)\bneighbou?r(?:s|hood|ing)?\b|\b(?:connected|linked|adjacent|next)\s+to\b|\bfriends\s+of\b|邻居|相邻|邻接|相连`)},
	{taskTrain, regexp.MustCompile(`(?i)\btrain(?:ing)?\b|\bpredict(?:s|ed|ion|ions|or)?\b|\bmissing\s+(?:links?|edges?)\b|训练|预测`)},
	{taskCommunities, regexp.MustCompile(`(?i)\bcommunit(?:y|ies)\b|\bclusters?\b|\bclustering\b|\bgroups?\b|\bfactions?\b|\bmodularity\b|\blouvain\b|社区|社群|群组|团体|聚类|分组|派系|模块度`)},
	{taskImportance, regexp.MustCompile(`(?i)\b(?:matters?|important|importance|influential|influencers?)\b|\bcentral(?:ity)?\b|\bkey\s+(?:nodes?|players?|people|persons?|members?|actors?|figures?|vertices)\b|重要|关键|核心|影响力|最有影响|中心性|中心节点`)},
	{taskBetweenness, regexp.MustCompile(`(?i)\bbridges?\b|\bbrokers?\b|\bgo-betweens?\b|\bbottlenecks?\b|中介|桥梁|桥接|瓶颈`)},
	{taskDegrees, regexp.MustCompile(`(?i)\bdegrees?\b|\bhubs?\b|\bmost\s+(?:connected|connections|links|edges|neighbou?rs)\b|度数|节点度|枢纽|连接最多`)},
	{taskDescribe, regexp.MustCompile(`(?i)\bdescri(?:be|ption)\b|\bsummar(?:y|i[sz]e)\b|\boverview\b|\bstat(?:s|istics)\b|\bhow\s+(?:big|large|many|dense)\b|\bdensity\b|\bdiameter\b|\bcomponents?\b|\bwhat(?:'s|\s+is)\s+(?:in\s+)?(?:this|the|my)\s+(?:graph|network|file|data)\b|\btell\s+me\s+about\s+(?:it|(?:this|the|my)\s+(?:graph|network|file|data))\b|\bload\b|\banaly[sz]e\b|描述|概况|概览|概要|摘要|总结|统计|介绍|多少|几个节点|节点数|边数|密度|直径|连通|加载|载入|分析一下|看一下这个图`)},
}

var (
	helpWords    = regexp.MustCompile(`(?i)^\s*(?:/?help|\?|？)\s*$|\bwhat\s+can\s+(?:you|i)\b|\bhow\s+do(?:es)?\s+(?:i|this|it)\b|\b(?:need|get|some)\s+help\b|帮助|能做什么|可以做什么|做些什么|怎么用|如何使用|能问什么|可以问`)
	karateWords  = regexp.MustCompile(`(?i)\bkarate\b|\bzachary\b|\b(?:sample|example|demo|built-?in)\s+(?:graph|network|data)|空手道|(?:示例|样例|内置|演示)(?:的)?(?:图|网络|数据)`)
	directedWord = regexp.MustCompile(`(?i)\bdirected\b|有向`)
	undirected   = regexp.MustCompile(`(?i)\bundirected\b|\bnot\s+directed\b|无向`)
	hopWords     = regexp.MustCompile(`(?i)\bhops?\b|\bfewest\b|\bunweighted\b|\bignor\w*\s+(?:the\s+)?weights?\b|跳数|步数|最少(?:的)?(?:跳|步)|不考虑权重|忽略权重`)
)

// changes recognise what is to be changed, the more telling pattern first. The
// object stands right behind an English verb, so that "create an overview of
// the edges" changes nothing.
var changes = []rule{
	{taskRemoveNode, regexp.MustCompile(removeEN + nodeEN + `.*` + itsEdges + `|` + removeZH + `.*` + nodeZH + `.*` + itsEdges)},
	{taskRemoveEdge, regexp.MustCompile(removeEN + edgeEN + `|(?i)^\s*(?:please\s+)?disconnect\s|` + removeZH + `.*` + edgeZH + `|(?:把|将).*` + edgeZH + `.*` + removeZH + `|^\s*请?断开`)},
	{taskRemoveNode, regexp.MustCompile(removeEN + nodeEN + `|(?i)^\s*(?:please\s+)?(?:remove|delete)\s+\S|` + removeZH + `.*` + nodeZH + `|(?:把|将).+` + removeZH + `|^\s*请?` + removeZH + `\s*\S`)},
	{taskAddEdge, regexp.MustCompile(`(?i)\b(?:add|create|insert|draw)\s+` + determiners + edgeEN + `|(?i)^\s*(?:please\s+)?connect\s|` + addZH + `.*(?:之间|到|至).*` + edgeZH + `|(?:之间|到|至).*` + addZH + `.*` + edgeZH + `|` + addZH + `(?:一条|新的?|条|了|上)*` + edgeZH + `|^\s*请?(?:帮我)?(?:连接[^最数预]|(?:把|将).+连接)`)},
	{taskAddNode, regexp.MustCompile(`(?i)\b(?:add|create|insert)\s+` + determiners + nodeEN + `|` + addZH + `(?:一个|一位|个|新的?|以下|两个|三个)*\s*` + nodeZH)},
}

const (
	determiners = `(?:(?:an?|the|one|two|three|new|another|some|following|these|both|all|directed|weighted)\s+)*`
	nodeEN      = `(?:(?:node|member|person|user|vertex)s?|vertices)\b`
	edgeEN      = `(?:edge|link|connection|tie|relation)s?\b`
	removeEN    = `(?i)\b(?:remove|delete|drop|erase|cut)\s+` + determiners
	removeZH    = `(?:删除|移除|去掉|删掉|去除|断开|删去|删了)`
	addZH       = `(?:添加|增加|新增|加入|加上|加|新建|创建|插入|建立|连上|连)`
	nodeZH      = `(?:节点|顶点|结点|成员)`
	edgeZH      = `(?:边|连线|链接|关系|连接)`
	itsEdges    = `(?:\s*\b(?:and|with|including)\s+(?:all\s+)?(?:of\s+)?(?:its|their|the|all)\s+(?:\w+\s+)?(?:edges|links|connections|ties)\b|\s*(?:和|及|以及|连同)?(?:它|其|他|她|它们)?的?(?:所有|全部|相关|相连)的?边)`
)

// notChanges are clauses about predicting or explaining, whatever else they say.
var notChanges = regexp.MustCompile(`(?i)\b(?:predict\w*|train\w*)\b|预测|训练`)

var (
	ownEdges    = regexp.MustCompile(`(?i)` + itsEdges)
	weightWords = regexp.MustCompile(`(?i)[,，]?\s*(?:\b(?:with|of)\s+)?(?:\ba\s+)?(?:\bweight\b|权重)\s*(?:of|=|:|is|为|是|：)?\s*(-?[\d.]+(?:e[+-]?\d+)?)`)
)

var (
	epochWords = regexp.MustCompile(`(?i)(\d+)\s*(?:epochs?|rounds?|轮|个?周期)|(?:epochs?|轮数|轮次)\s*(?:=|:|：|为|是)?\s*(\d+)`)
	dimWords   = regexp.MustCompile(`(?i)(?:\bdim(?:ensions?)?\b|维度|维数)\s*(?:=|:|：|为|是|of)?\s*(\d+)|(\d+)\s*(?:dimensions?|factors?|维)`)
	rateWords  = regexp.MustCompile(`(?i)(?:\blearning\s+rate\b|\blr\b|学习率)\s*(?:=|:|：|为|是|of)?\s*([\d.]+)`)
)

// clauseEnd splits a request: at punctuation, and before a verb that starts
// something new. A full stop inside a word or number is none.
var (
	clauseEnd  = regexp.MustCompile(`[,，;；。！!？?\n]|\.(?:\s|$)|、`)
	newClause  = regexp.MustCompile(`(?i)\s+(?:(?:and|then|also|next|afterwards)\s+)+(add|create|insert|connect|remove|delete|drop|disconnect|train|predict|find|show|list|run|compute|calculate|which|who|what|how|describe|summari[sz]e|tell|give|explain|analy[sz]e|report|neighbou?rs\s+of|shortest|communities|pagerank|betweenness)\b`)
	newClauseZ = regexp.MustCompile(`(?:然后|接着|并且|随后|再|最后|并)\s*(请?(?:添加|增加|新增|新建|创建|插入|删除|移除|删掉|断开|训练|预测|找|看|列|计算|分析|告诉|说明|描述|把|将|在|给|连接))`)
)

// Words that lead up to a name, and words that a name ends before.
var (
	leadWords = regexp.MustCompile(`(?i)\b(?:from|between|of|for|around|to|node|vertex|member|person|user|nodes|members|edge|link|connection|tie|called|named|connect|disconnect|remove|delete|drop|add|create|insert|path|route|distance|how\s+far\s+(?:is|are)|the|a|an|new|is|are|with|does|and)\b[:：]?|从|在|把|将|给|由|节点|顶点|结点|成员|路径|叫做?|名为|名叫|名称为|边|添加|增加|新增|加入|加上|新建|创建|插入|建立|连接|删除|移除|去掉|删掉|去除|断开|请问|请|帮我|求|找出|找到|查找|查询|计算|显示|列出|看看|与|和|跟|一个|一条|新的|[:：]`)
	tailWords = regexp.MustCompile(`(?i)\b(?:with|please|in\s+the|from\s+the|to\s+the|into|by|using|for\s+me|and|then|is|are|in\s+this|from\s+this|of\s+the|again|too|neighbou?rs?)\b|['’]s\b|之间|的|吗|呢|吧|有哪些|有谁|有多|是谁|是什么|相连|相邻|直接|需要|要|加|添|增|新|建|连|删|移|去|断|到图|从图|从网|[?？!！。，,;；、]`)
)

// connectives stand between the two ends of a path or an edge, in the order
// they are tried.
var connectives = []*regexp.Regexp{
	regexp.MustCompile(`\s*(?:->|→|—>|=>|⇒|--|——|–)\s*`),
	regexp.MustCompile(`(?i)\s+to\s+`),
	regexp.MustCompile(`\s*(?:到|至)\s*`),
	regexp.MustCompile(`(?i)\s+(?:and|with|from)\s+`),
	regexp.MustCompile(`\s*(?:和|与|跟|同|及)\s*`),
	regexp.MustCompile(`\s*[,，、]\s*`),
	regexp.MustCompile(`\s*-\s*`),
	regexp.MustCompile(`\s+`),
}
