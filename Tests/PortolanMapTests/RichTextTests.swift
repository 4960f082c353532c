import PortolanJSON
import PortolanMap
import Testing

@Suite struct RichTextTests {
  @Test(arguments: [
    ("plain", "plain"),
    ("a  b\n c", "a b c"),
    ("<p>One</p><p>Two</p>", "One\n\nTwo"),
    ("One<br/>Two<BR>Three", "One\nTwo\nThree"),
    ("<div>One</div><div>Two</div>", "One\nTwo"),
    ("<ul><li>One</li><li>Two</li></ul>after", "• One\n• Two\n\nafter"),
    ("<b>bold</b> <i class='x'>it</i>", "bold it"),
    (#"<a href="https://x/?a=1&amp;b=2">here</a>"#, "here (https://x/?a=1&b=2)"),
    (#"<a target=_blank href='https://x'>https://x</a>"#, "https://x"),
    ("<a>nowhere</a>", "nowhere"),
    (#"<img src="a.png" alt="A tree">"#, "A tree"),
    ("<img src=a.png>", ""),
    ("<table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table>", "1 2\n3"),
    ("<script>alert('<b>')</script>x<style>p{}</STYLE >y", "xy"),
    ("<!-- hidden > -->shown", "shown"),
    ("5 &lt; 6 &amp;&nbsp;7 &gt; 3 &#65;&#x42;", "5 < 6 & 7 > 3 AB"),
    ("&unknown; & &#xD800; &", "&unknown; & &#xD800; &"),
    ("1 < 2 and <3", "1 < 2 and <3"),
    (#"<span title="a > b">x</span>"#, "x"),
    (#"<span title="never closed>x</span>"#, "x"),
    ("<unclosed", "<unclosed"),
    ("<p>  </p><p></p>x", "x"),
    ("Caf&eacute; &ndash; 3&deg;", "Café – 3°"),
    ("&iexcl;Ma&ntilde;ana&ensp;&aacute;&yuml;&Omega;&rarr;&diams;", "¡Mañana áÿΩ→♦"),
    ("&Aacute;&aacut; &nope;", "Á&aacut; &nope;"),
  ])
  func `HTML reads as text`(_ html: String, _ plain: String) {
    #expect(Self.plain(html) == plain)
  }

  @Test(
    .timeLimit(.minutes(5)),
    arguments: [
      "<a ", "<a '\">", "<!--", "<script>", "&", "&#x", "<li>", "<a href='x'>", "<", "'<p \"",
    ])
  func `Hostile HTML takes no more time than its length`(_ part: String) {
    let text = String(repeating: part, count: 100_000 / part.count)
    #expect(Self.plain(text).count <= text.count * 2)
  }

  @Test func `Every beginning of a text is read without harm`() {
    let html = #"<p a="b'>c">x &amp; <a href='y'>z</a><!-- c --><script>s</script></p>"#
    for length in 0...html.count { _ = Self.plain(String(html.prefix(length))) }
  }

  private static func plain(_ html: String) -> String {
    Popup.RichText(html: html).plain
  }
}
