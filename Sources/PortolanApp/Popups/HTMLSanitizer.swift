/// Leaves of HTML only what can do no harm: the text, and tags of an allow list with no attributes
/// but the addresses of links.
///
/// The result has every `<`, `>` and `&` that is no tag of the list escaped, so that no browser reads
/// it in another way than this does.
public enum HTMLSanitizer {
  private static let allowed: Set<String> = [
    "b", "i", "em", "strong", "u", "br", "p", "ul", "ol", "li", "a", "span", "div", "table",
    "tbody",
    "thead", "tr", "td", "th", "h1", "h2", "h3", "h4", "h5", "h6", "sub", "sup", "small", "hr",
  ]
  /// Tags whose contents are no text.
  private static let silent: Set<String> = ["script", "style", "title", "template", "noscript"]
  private static let schemes = ["http://", "https://", "mailto:", "tel:"]

  /// The text with only those tags.
  public static func sanitized(_ html: String) -> String {
    var output = ""
    var open: [String] = []
    var rest = Substring(html)
    while let start = rest.firstIndex(of: "<") {
      output += escaped(rest[..<start])
      rest = rest[start...]
      guard let tag = Tag(at: rest) else {
        output += "&lt;"
        rest = rest.dropFirst()
        continue
      }
      rest = rest[tag.end...]
      if silent.contains(tag.name), !tag.isClosing {
        rest = after(tag.name, in: rest)
        continue
      }
      output += written(tag, &open)
    }
    output += escaped(rest)
    for name in open.reversed() { output += "</\(name)>" }
    return output
  }

  private static func written(_ tag: Tag, _ open: inout [String]) -> String {
    guard allowed.contains(tag.name) else { return "" }
    if tag.isClosing {
      guard let place = open.lastIndex(of: tag.name) else { return "" }
      let closed = open[place...].reversed().map { "</\($0)>" }.joined()
      open.removeSubrange(place...)
      return closed
    }
    guard tag.name != "br", tag.name != "hr" else { return "<\(tag.name)>" }
    open.append(tag.name)
    guard tag.name == "a", let link = tag.link, schemes.contains(where: link.lowercased().hasPrefix)
    else { return "<\(tag.name)>" }
    let address = escaped(link[...]).replacing("\"", with: "&quot;")
    return "<a href=\"\(address)\" rel=\"noopener noreferrer\" target=\"_blank\">"
  }

  /// The text after the end of an element whose contents are left out.
  private static func after(_ name: String, in text: Substring) -> Substring {
    var rest = text
    while let start = rest.firstIndex(of: "<") {
      rest = rest[start...]
      if let tag = Tag(at: rest), tag.isClosing, tag.name == name { return rest[tag.end...] }
      rest = rest.dropFirst()
    }
    return ""
  }

  /// The text with what could begin a tag escaped; character references stay.
  private static func escaped(_ text: Substring) -> String {
    var output = ""
    for (index, character) in zip(text.indices, text) {
      switch character {
      case "<": output += "&lt;"
      case ">": output += "&gt;"
      case "&" where !isReference(text[index...]): output += "&amp;"
      default: output.append(character)
      }
    }
    return output
  }

  private static func isReference(_ text: Substring) -> Bool {
    text.prefixMatch(of: /&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});/) != nil
  }

  /// A tag as it begins a text.
  private struct Tag {
    let name: String
    let isClosing: Bool
    let link: String?
    let end: Substring.Index

    init?(at text: Substring) {
      if text.hasPrefix("<!--") {
        guard let end = text.firstRange(of: "-->") else { return nil }
        (name, isClosing, link, self.end) = ("", false, nil, end.upperBound)
        return
      }
      let pattern =
        /<(\/?)([a-zA-Z][a-zA-Z0-9]*)((?:\s+[^<>"'=\/\s]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>=]+))?)*)\s*\/?>/
      guard let match = text.prefixMatch(of: pattern) else { return nil }
      name = match.2.lowercased()
      isClosing = !match.1.isEmpty
      let address = match.3.firstMatch(
        of: /(?:^|\s)href\s*=\s*(?:"([^"]*)"|'([^']*)')/.ignoresCase())
      link = (address?.1 ?? address?.2).map {
        String($0.filter { !$0.isWhitespace || $0 == " " }).trimmingPrefix(" ").description
      }
      end = match.range.upperBound
    }
  }
}
