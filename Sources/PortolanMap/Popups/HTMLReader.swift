/// Reads HTML once from start to end.
struct HTMLReader {
  private var rest: Substring
  private var lines: [String] = [""]
  private var links: [(address: String, text: String)] = []
  private var hasMoreTags = true

  init(_ html: String) { rest = html[...] }

  mutating func plainText() -> String {
    while let next = rest.first {
      if next == "<" {
        readTag()
      } else if next == "&" {
        append(readEntity())
      } else {
        rest.removeFirst()
        append(next.isWhitespace ? " " : String(next))
      }
    }
    return joinedLines()
  }

  /// Lines without blanks at their ends, and no more than one empty one in a row.
  private func joinedLines() -> String {
    var result: [String] = []
    for line in lines.map({ $0.trimmingBlanks() }) where !(line.isEmpty && result.last == "") {
      result.append(line)
    }
    return result.joined(separator: "\n").trimmingBlanks()
  }

  private mutating func append(_ text: String) {
    let last = lines.count - 1
    if text == " ", lines[last].last == " " || lines[last].isEmpty { return }
    lines[last] += text
    if !links.isEmpty { links[links.count - 1].text += text }
  }

  private mutating func breakLine() {
    if lines.last != "" { lines.append("") }
  }

  private mutating func readTag() {
    let inside = rest.dropFirst()
    if inside.hasPrefix("!--") { return skip(past: "-->") }
    guard let first = inside.first, first.isLetter || "/!?".contains(first),
      let end = tagEnd(inside)
    else {
      rest.removeFirst()
      return append("<")
    }
    let tag = inside[..<end]
    rest = inside[inside.index(after: end)...]
    let isEnd = tag.hasPrefix("/")
    let name = (isEnd ? tag.dropFirst() : tag).prefix { $0.isLetter || $0.isNumber }.lowercased()
    isEnd ? close(name) : open(name, tag)
  }

  private mutating func open(_ name: String, _ tag: Substring) {
    switch name {
    case "br": lines.append("")
    case "p", "div", "tr", "table", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6", "hr":
      breakLine()
    case "li":
      breakLine()
      append("• ")
    case "td", "th": append(" ")
    case "a": links.append((Self.attribute("href", of: tag), ""))
    case "img": append(Self.attribute("alt", of: tag))
    case "script", "style": skip(past: "</\(name)")
    default: break
    }
  }

  private mutating func close(_ name: String) {
    switch name {
    case "p", "h1", "h2", "h3", "h4", "h5", "h6", "table", "ul", "ol":
      breakLine()
      lines.append("")
    case "div", "li", "tr": breakLine()
    case "a":
      guard let link = links.popLast() else { return }
      let isSaid = link.text.contains(link.address)
      if !link.address.isEmpty, !isSaid { append(" (\(link.address))") }
    default: break
    }
  }

  /// Continues after `mark` and the tag it may begin, whatever the case; without it, to the end.
  private mutating func skip(past mark: String) {
    while !rest.isEmpty {
      if rest.first == mark.first, rest.prefix(mark.count).lowercased() == mark {
        rest = rest.dropFirst(mark.count)
        if mark.hasPrefix("</") { rest = rest.drop { $0 != ">" }.dropFirst() }
        return
      }
      rest.removeFirst()
    }
  }

  private mutating func readEntity() -> String {
    let body = rest.dropFirst().prefix(10).prefix { $0 != ";" }
    let afterBody = rest.dropFirst(body.count + 1)
    guard afterBody.first == ";", let text = Self.entity(body) else {
      rest.removeFirst()
      return "&"
    }
    rest = afterBody.dropFirst()
    return text
  }

  private static func entity(_ name: Substring) -> String? {
    guard name.hasPrefix("#") else { return HTMLEntities.text(of: String(name)) }
    let digits = name.dropFirst()
    let isHexadecimal = digits.first?.lowercased() == "x"
    let number = UInt32(isHexadecimal ? digits.dropFirst() : digits, radix: isHexadecimal ? 16 : 10)
    return number.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
  }

  /// The end of the tag: at a bracket outside of quotes, else, if a quote is never closed, at any.
  private mutating func tagEnd(_ text: Substring) -> Substring.Index? {
    guard hasMoreTags else { return nil }
    var quote: Character?
    for index in text.indices {
      let character = text[index]
      if let open = quote {
        if character == open { quote = nil }
      } else if character == "\"" || character == "'" {
        quote = character
      } else if character == ">" {
        return index
      }
    }
    let end = text.firstIndex(of: ">")
    // Looking for it again at every later bracket would take squared time.
    hasMoreTags = end != nil
    return end
  }

  /// The value of an attribute, in quotes or bare, without entities; empty if there is none.
  private static func attribute(_ name: String, of tag: Substring) -> String {
    var rest = tag.drop { !$0.isWhitespace }
    while !rest.isEmpty {
      rest = rest.drop { $0.isWhitespace || $0 == "/" }
      let key = rest.prefix { !$0.isWhitespace && $0 != "=" }
      rest = rest[key.endIndex...].drop(while: \.isWhitespace)
      guard rest.first == "=" else { continue }
      rest = rest.dropFirst().drop(while: \.isWhitespace)
      let quote = rest.first.flatMap { $0 == "\"" || $0 == "'" ? $0 : nil }
      if quote != nil { rest = rest.dropFirst() }
      let value = rest.prefix { quote == nil ? !$0.isWhitespace : $0 != quote }
      rest = rest[value.endIndex...].dropFirst()
      if key.lowercased() == name { return String(value).replacing("&amp;", with: "&") }
    }
    return ""
  }
}
