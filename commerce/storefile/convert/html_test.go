package convert

import "testing"

func TestPlainText(t *testing.T) {
	for _, c := range []struct{ html, want string }{
		{"<p>Swim hut<br>Size: 4 cm &amp; more.</p>\n<ul><li>Light</li></ul>", "Swim hut\nSize: 4 cm & more.\nLight"},
		{"A mug < 5 cm & cheap,\n2 > 1.", "A mug < 5 cm & cheap,\n2 > 1."},
		{"Salt &amp; pepper\nfor two &#8211; each", "Salt & pepper\nfor two – each"},
		{"<div>One\ntwo</div><div>three</div>", "One two\nthree"},
		{"<p>a</p><p>&nbsp;</p><p></p><p>b<br><br>c<br/></p>", "a\nb\n\nc"},
		{"<style>p {color: red}</style><p>a</p><script>if (a < b) { alert('<p>') }</script><!-- x -->b", "a\nb"},
		{"<p>&lt;b&gt; is &amp;amp; read once</p>", "<b> is &amp; read once"},
		{"<strong>Bold</strong>ly <em>so</em>\nand on", "Boldly so\nand on"},
		{"<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b\nc"},
		{"<p>open <b>never closed", "open never closed"},
		{"<script>only this", ""},
	} {
		if got, _ := plainText(c.html, false); got != c.want {
			t.Errorf("%q\n got %q\nwant %q", c.html, got, c.want)
		}
	}
	if got, _ := plainText("<b>Intro</b>\n\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>", true); got != "Intro\n\na\nb" {
		t.Errorf("with line ends kept: %q", got)
	}
}
