internal import Foundation
package import PortolanMap

/// The text of a label without the tags that ArcGIS Pro formats sections with, and the sections.
///
/// `<BOL>Main</BOL> St` reads "Main St", with its first word in bold letters.
///
/// - SeeAlso: [Text formatting tags](https://pro.arcgis.com/en/pro-app/latest/help/mapping/text/text-formatting-tags.htm)
package struct LabelMarkup {
  /// The look of a section.
  struct Look: Hashable {
    var isBold: Bool?
    var isItalic: Bool?
    var isUnderlined: Bool?
    var color: RGBAColor?
    var family: String?
    /// In points of 1/72 inch.
    var size: Double?
    /// Of the size of the text around.
    var scale = 1.0
    /// The rise of the letters, in shares of their size.
    var rise = 0.0
    var isUppercase = false
  }

  /// Letters that look alike.
  package struct Section: Hashable {
    /// As bytes of ``LabelMarkup/plain`` are counted in UTF-8.
    var bytes: Range<Int>
    var look: Look
  }

  private static let tags: Set<String> = [
    "acp", "bol", "_bol", "chr", "clr", "fnt", "ita", "_ita", "lin", "scp", "sub", "_sub", "sup",
    "_sup", "und", "_und", "wrd",
  ]
  /// The tags that change distances between letters, words and lines, and small capitals.
  private static let notDrawn: Set<String> = ["chr", "lin", "scp", "wrd"]
  private static let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")]
  /// Tags have a few attributes.
  private static let maximumTagLength = 200
  private static let maximumDepth = 32
  private static let maximumSections = 200

  /// The plain text of the label.
  package private(set) var plain = ""
  /// Whether there were tags.
  private(set) var hasTags = false
  /// Whether there were tags that are not followed.
  package private(set) var hasTagsNotDrawn = false
  /// The sections that look different from the rest.
  package private(set) var sections: [Section] = []
  private var open: [(name: String, look: Look)] = []

  package init(_ text: String) {
    hasTags = Self.parts(text).contains { if case .tag = $0 { true } else { false } }
    for part in Self.parts(text) {
      switch part {
      case .text(let text): add(text)
      case .tag(let name, let attributes): take(name, attributes)
      }
    }
  }

  private var look: Look { open.last?.look ?? Look() }

  private mutating func add(_ text: Substring) {
    var text = String(text)
    // Without tags nothing was escaped.
    if hasTags {
      for (entity, character) in Self.entities { text = text.replacing(entity, with: character) }
    }
    let look = look
    if look.isUppercase { text = text.uppercased() }
    let start = plain.utf8.count
    plain += text
    guard look != Look(), !text.isEmpty, sections.count < Self.maximumSections else { return }
    sections.append(Section(bytes: start..<plain.utf8.count, look: look))
  }

  private mutating func take(_ name: String, _ attributes: [String: String]) {
    if name.hasPrefix("/") {
      if let place = open.lastIndex(where: { $0.name == name.dropFirst() }) {
        open.remove(at: place)
      }
      return
    }
    if Self.notDrawn.contains(name) { hasTagsNotDrawn = true }
    guard open.count < Self.maximumDepth else { return }
    open.append((name, look.inside(name, attributes)))
  }

  private enum Part {
    case text(Substring)
    /// The name in small letters, with its slash; attributes by their names in small letters.
    case tag(String, [String: String])
  }

  private static func parts(_ text: String) -> [Part] {
    var parts: [Part] = []
    var rest = text[...]
    while let start = rest.firstIndex(of: "<") {
      if start > rest.startIndex { parts.append(.text(rest[..<start])) }
      rest = rest[start...]
      if let (tag, end) = tag(rest) {
        parts.append(tag)
        rest = rest[end...]
      } else {
        parts.append(.text(rest.prefix(1)))
        rest.removeFirst()
      }
    }
    if !rest.isEmpty { parts.append(.text(rest)) }
    return parts
  }

  /// The tag that begins here, and where it ends; `nil` if it is none.
  private static func tag(_ text: Substring) -> (Part, Substring.Index)? {
    let inside = text.dropFirst().prefix(maximumTagLength)
    guard let end = inside.firstIndex(of: ">") else { return nil }
    let content = inside[..<end]
    let isEnd = content.first == "/"
    let name = (isEnd ? content.dropFirst() : content).prefix { $0.isLetter || $0 == "_" }
      .lowercased()
    guard tags.contains(name) else { return nil }
    let rest = content.dropFirst(name.count + (isEnd ? 1 : 0))
    return (.tag(isEnd ? "/" + name : name, attributes(rest)), inside.index(after: end))
  }

  /// The quoted values after names.
  private static func attributes(_ text: Substring) -> [String: String] {
    var attributes: [String: String] = [:]
    var rest = text
    while let equals = rest.firstIndex(of: "=") {
      let name = rest[..<equals].trimmingCharacters(in: .whitespaces).lowercased()
      rest = rest[rest.index(after: equals)...].drop { $0 == " " }
      guard let quote = rest.first, quote == "'" || quote == "\"" else { break }
      let value = rest.dropFirst().prefix { $0 != quote }
      attributes[name] = String(value)
      rest = rest[value.endIndex...].dropFirst()
    }
    return attributes
  }
}

extension LabelMarkup.Look {
  /// The look of text inside of a tag in text of this look.
  fileprivate func inside(_ tag: String, _ attributes: [String: String]) -> Self {
    var look = self
    func number(_ key: String) -> Double? {
      attributes[key].flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil }
    }
    switch tag {
    case "bol": look.isBold = true
    case "_bol": look.isBold = false
    case "ita": look.isItalic = true
    case "_ita": look.isItalic = false
    case "und": look.isUnderlined = true
    case "_und": look.isUnderlined = false
    case "acp": look.isUppercase = true
    case "sup", "sub":
      look.scale *= 0.65
      look.rise = tag == "sup" ? 0.4 : -0.2
    case "_sup", "_sub": (look.scale, look.rise) = (1, 0)
    case "clr":
      func byte(_ key: String, _ fallback: Double) -> UInt8 {
        UInt8(min(max(number(key) ?? fallback, 0), 255))
      }
      look.color = RGBAColor(
        red: byte("red", 0), green: byte("green", 0), blue: byte("blue", 0),
        alpha: UInt8((min(max(number("alpha") ?? 100, 0), 100) * 2.55).rounded()))
    case "fnt":
      look.family = attributes["name"] ?? look.family
      look.size = number("size") ?? look.size
      look.scale *= min(max(number("scale") ?? 100, 1), 1000) / 100
      if let style = attributes["style"]?.lowercased() {
        look.isBold = style.contains("bold")
        look.isItalic = style.contains("italic") || style.contains("oblique")
      }
    default: break
    }
    return look
  }
}

extension TextStyle {
  /// A part of a text that looks different.
  package struct Section: Hashable, Sendable {
    /// As bytes of the text are counted in UTF-8.
    var bytes: Range<Int>
    var isBold: Bool?
    var isItalic: Bool?
    var isUnderlined: Bool?
    var color: RGBAColor?
    var family: String?
    /// In pixels; `nil` for that of the text.
    var size: Double?
    /// The rise of the letters, in pixels.
    var rise = 0.0

    package init(
      bytes: Range<Int>, isBold: Bool? = nil, isItalic: Bool? = nil, isUnderlined: Bool? = nil,
      color: RGBAColor? = nil, family: String? = nil, size: Double? = nil, rise: Double = 0
    ) {
      self.bytes = bytes
      self.isBold = isBold
      self.isItalic = isItalic
      self.isUnderlined = isUnderlined
      self.color = color
      self.family = family
      self.size = size
      self.rise = rise
    }
  }

  /// The style for a single letter, which begins at a byte of the text.
  func letter(at byte: Int) -> TextStyle {
    var style = self
    style.sections = []
    guard let section = sections.first(where: { $0.bytes.contains(byte) }) else { return style }
    style.isBold = section.isBold ?? isBold
    style.isItalic = section.isItalic ?? isItalic
    style.isUnderlined = section.isUnderlined ?? isUnderlined
    style.color = section.color ?? color
    style.family = section.family ?? family
    style.size = section.size ?? size
    return style
  }

  /// The style with the sections of a label, whose sizes are in points.
  package func with(
    _ sections: [LabelMarkup.Section], pixelsPerPoint: Double, opacity: Double
  ) -> TextStyle {
    var style = self
    style.sections = sections.map { section in
      let look = section.look
      let size = min(
        max((look.size.map { $0 * pixelsPerPoint } ?? self.size) * look.scale, 1), 2000)
      return Section(
        bytes: section.bytes, isBold: look.isBold, isItalic: look.isItalic,
        isUnderlined: look.isUnderlined, color: look.color?.faded(opacity), family: look.family,
        size: size == self.size ? nil : size, rise: look.rise * self.size)
    }
    return style
  }
}
