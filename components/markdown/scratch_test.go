package markdown
import ("testing";"encoding/json";"fmt")
func TestScratch(t *testing.T){
 for _, s := range []string{"**注意：**先备份。","请看**“规则”**一节","- **步骤（一）**执行","**a**b","`**注意：**`","Map<String, User> 与 <think>x</think>","C:\\new\\temp","a_b_c 2*3*4","约3~5个，或10~20个 ~~x~~","- [x] done\n- [ ] open\n1. k","|a|b|\n|--|:-:|\n|1|`x\\|y`|3|\nfoo\n\n见https://example.org/x。后 <a@b.c> <std::string> ![alt](http://x/y.png)"} {
  b,_ := json.Marshal(Parse(s)); fmt.Println(string(b)); fmt.Printf("%q\n", Text(Parse(s)))
 }
 text := "看：\n\n```go\nx := 1\n```\n\n| a | b |\n|---|---|\n| 1 | **2** |\n"
 var s Stream
 for i := range text { fmt.Printf("%q  => ", text[:i]); for _, b := range s.Update(text[:i]) { fmt.Printf("%d %q; ", b.Kind, Text([]*Block{b})) }; fmt.Println() }
}
