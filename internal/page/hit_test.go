package page_test

import (
	"testing"

	"github.com/legwork-mcp/legwork/internal/page"
)

// jumping is a page whose buttons change places while the mouse is on its way.
const jumping = `<div id=top></div><button id=other style="display:block;height:40px;width:200px">Start without data</button><button id=go style="display:block;height:40px;width:200px">Continue</button>
<output id=log></output><input type=checkbox id=box style="display:none"><label for=box id=boxlabel style="display:block;height:40px;width:200px">I agree</label><script>
let jumps = 2, wrong = 0;
addEventListener('mousemove', () => { if (jumps-- > 0) document.getElementById('top').style.height = (document.getElementById('top').offsetHeight + 40) + 'px'; });
for (const type of ['pointerdown', 'mousedown', 'click']) document.getElementById('other').addEventListener(type, () => { document.getElementById('log').textContent = 'wrong ' + (++wrong); });
document.getElementById('go').onclick = () => { document.querySelector('main').insertAdjacentHTML('afterbegin', '<h1>Next ' + wrong + '</h1>'); document.getElementById('go').remove(); };
</script>`

// TestPressHitsWhatWasMeant: a page that moves under the mouse must not get the
// press on something else.
func TestPressHitsWhatWasMeant(t *testing.T) {
	v := show(t, jumping)
	step, err := v.Advance(v.ctx, page.Target{Selector: "#go"}, page.Proof{})
	if err != nil || !step.Moved {
		t.Fatalf("not pressed: %+v, %v", step, err)
	}
	same(t, "heading", "Next 0", v.eval(t, "() => document.querySelector('h1').textContent"))
}

// TestClickHitsWhatWasMeant is the same for a press of which nothing is awaited.
func TestClickHitsWhatWasMeant(t *testing.T) {
	v := show(t, jumping)
	if err := v.Click(v.ctx, page.Target{Selector: "#go"}); err != nil {
		t.Fatal(err)
	}
	same(t, "log", "", v.eval(t, "() => document.getElementById('log').textContent"))
	same(t, "heading", "Next 0", v.eval(t, "() => document.querySelector('h1').textContent"))
}
