/// HTML as it reads without tags, and plain text as HTML.
public enum PlainText {
  /// The text of HTML: blocks on lines of their own, items with bullets, addresses of links in
  /// parentheses, no scripts and no styles.
  public static func ofHTML(_ html: String) -> String {
    guard html.contains(where: { "<&\n\r\t".contains($0) }) || html.contains("  ") else {
      return html
    }
    var reader = HTMLReader(html)
    return reader.plainText()
  }

  /// Plain text with the characters escaped that mean something in HTML.
  static func escaped(_ text: String) -> String {
    guard text.contains(where: { "<>&\"".contains($0) }) else { return text }
    return text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
  }
}
