package page_test

import (
	"testing"

	"github.com/legwork-mcp/legwork/internal/page"
)

// TestFilesAreReadBack: a file counts as set only where its input holds it or
// the page names it.
func TestFilesAreReadBack(t *testing.T) {
	tests := []struct{ name, html, state string }{
		{"input", `<input type=file id=f>`, "set"},
		{"input emptied", `<input type=file id=f onchange="this.value=''">`, "value_mismatch"},
		{"input emptied, file named later", `<input type=file id=f onchange="this.value='';setTimeout(()=>{o.textContent='pay slip.pdf sent'},300)"><p id=o></p>`, "set"},
		{"named in a field", `<input type=file id=f onchange="this.value='';o.value='pay slip.pdf'"><input id=o readonly>`, "set"},
		{"named out of sight", `<input type=file id=f onchange="this.value='';o.textContent='pay slip.pdf'"><p id=o hidden></p>`, "value_mismatch"},
		{"input cuts the file", `<input type=file id=f onchange="const d=new DataTransfer();d.items.add(new File(['x'],'pay slip.pdf'));if(this.files[0].size>1)this.files=d.files">`, "value_mismatch"},
		{"zone that forgets", `<div id=f style="width:200px;height:100px" ondragover="event.preventDefault()" ondrop="event.preventDefault()">Drop here</div>`, "value_mismatch"},
		{"zone that names", `<div id=f style="width:200px;height:100px" ondragover="event.preventDefault()" ondrop="event.preventDefault();setTimeout(()=>{f.textContent='pay slip.pdf'},60)">Drop here</div>`, "set"},
		{"zone with an input", `<div id=f style="width:200px;height:100px">Drop here<input type=file hidden></div>`, "set"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := show(t, tt.html)
			v.ElementTimeout /= 5
			answer := field("#f", page.KindFile, page.File{Name: "pay slip.pdf", Data: []byte("12345")})
			same(t, "state", []string{tt.state}, states(v.set(t, answer)))
			got, err := v.Verify(v.ctx, []page.Answer{answer})
			if err != nil {
				t.Fatal(err)
			}
			same(t, "read back", []string{tt.state}, states(got))
		})
	}
}

// TestLostFileIsGivenAgain: a page that draws its form anew while its button
// waits must get the file again.
func TestLostFileIsGivenAgain(t *testing.T) {
	v := show(t, `<form><div id=d><input type=file id=f></div><button id=b type=button disabled onclick="if(document.querySelector('#f').files.length)document.querySelector('main').innerHTML='<h1>Thank you</h1>'">Send</button></form>`)
	v.set(t, field("#f", page.KindFile, page.File{Name: "a.pdf", Data: []byte("12345")}))
	v.eval(t, `() => { document.querySelector('#d').innerHTML = '<input type=file id=f>'; setTimeout(() => { document.querySelector('#b').disabled = false }, 1200); return '' }`)
	step, err := v.Advance(v.ctx, page.Target{Selector: "#b"}, page.Proof{Heading: "Thank you"})
	if err != nil || !step.Moved {
		t.Errorf("%+v, %v", step, err)
	}
}
