package page_test

import (
	"testing"

	"github.com/legwork-mcp/legwork/internal/page"
)

func TestBoxes(t *testing.T) {
	v := show(t, `<style>body,main{margin:0} .box{position:absolute;left:30px;top:2000px;width:100px;height:20px;padding:0;border:0}</style>
<input id=a class=box><iframe id=f srcdoc="<style>body{margin:0}</style><input id=b style='position:absolute;left:5px;top:7px;width:50px;height:10px;border:0;padding:0'>" style="position:absolute;left:200px;top:300px;border:0"></iframe>
<p style="height:3000px">`)
	v.eval(t, "() => { scrollTo(0, 1500) }")
	got, err := v.Boxes(v.ctx, []page.Target{{Selector: "#a"}, {Selector: "#b", Frame: []string{"#f"}}, {Selector: "#none"}})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "boxes", []page.Box{{X: 30, Y: 2000, W: 100, H: 20}, {X: 205, Y: 307, W: 50, H: 10}, {}}, got)
}
