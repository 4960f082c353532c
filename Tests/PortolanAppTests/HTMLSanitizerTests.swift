import PortolanApp
import Testing

@Suite struct HTMLSanitizerTests {
  @Test(arguments: [
    ("plain & simple", "plain &amp; simple"),
    ("caf&eacute; &#169; &amp;", "caf&eacute; &#169; &amp;"),
    ("<b>bold</b> <i>it", "<b>bold</b> <i>it</i>"),
    ("<p class='x' onclick='alert(1)'>text</p>", "<p>text</p>"),
    ("a<br/>b<hr>", "a<br>b<hr>"),
    ("</div>text</b>", "text"),
    ("<b><i>x</b>y", "<b><i>x</i></b>y"),
    ("1 < 2 > 0", "1 &lt; 2 &gt; 0"),
    (
      "<a href=\"https://a.example/?x=1&y=2\" target=_self>a</a>",
      "<a href=\"https://a.example/?x=1&amp;y=2\" rel=\"noopener noreferrer\" target=\"_blank\">a</a>"
    ),
    ("<!-- gone -->here", "here"),
    ("<font color=red>red</font>", "red"),
  ])
  func `What does no harm stays`(_ html: String, _ safe: String) {
    #expect(HTMLSanitizer.sanitized(html) == safe)
  }

  @Test(arguments: [
    "<script>alert(1)</script>", "<SCRIPT src=//a></SCRIPT>", "<script", "<style>*{}</style>",
    "<img src=x onerror=alert(1)>", "<svg/onload=alert(1)>", "<iframe src=javascript:alert(1)>",
    "<a href=\"javascript:alert(1)\">x</a>", "<a href=' jav\tascript:alert(1)'>x</a>",
    "<a href=\"&#106;avascript:alert(1)\">x</a>", "<a href=\"data:text/html,x\">x</a>",
    "<a href=\"https://a\" onclick=\"alert(1)\" style=\"x\">x</a>",
    "<a href='https://a\"onmouseover=\"alert(1)'>x</a>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>", "<b <script>alert(1)</script>>",
    "<math><mtext></mtext><script>alert(1)</script></math>", "<template><img onerror=x></template>",
    "<p title=\"</p><script>alert(1)</script>\">x</p>", "<title><img src=x onerror=y></title>",
  ])
  func `Nothing that a browser would run or fetch is left`(_ html: String) {
    let safe = HTMLSanitizer.sanitized(html)
    let tags = safe.matches(of: /<\/?([a-zA-Z0-9]+)([^<>]*)>/)
    for tag in tags {
      #expect(["a", "b", "p"].contains(tag.1), "\(safe)")
      let attributes = String(tag.2)
      #expect(
        attributes.isEmpty
          || attributes.wholeMatch(
            of: /\ href="https:[^"]*"\ rel="noopener\ noreferrer"\ target="_blank"/) != nil,
        "\(safe)")
    }
    // Nothing else in the text begins a tag.
    #expect(safe.count { $0 == "<" } == tags.count, "\(safe)")
  }
}
