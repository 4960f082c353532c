internal import Foundation

/// The text of a label without the tags that ArcGIS Pro formats sections with.
///
/// Sections are drawn as the rest of the label is: `<BOL>Main</BOL> St` reads "Main St".
struct LabelMarkup {
  private static let tags: Set<String> = [
    "acp", "bol", "_bol", "chr", "clr", "fnt", "ita", "_ita", "lin", "scp", "sub", "_sub", "sup",
    "_sup", "und", "_und", "wrd",
  ]
  private static let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")]
  /// Tags have a few attributes.
  private static let maximumTagLength = 200

  /// What the label reads.
  private(set) var plain: String
  /// Whether there were tags.
  private(set) var hasTags = false

  init(_ text: String) {
    plain = ""
    var rest = text[...]
    while let start = rest.firstIndex(of: "<") {
      plain += rest[..<start]
      rest = rest[start...]
      if let end = Self.endOfTag(rest) {
        hasTags = true
        rest = rest[end...]
      } else {
        plain += "<"
        rest.removeFirst()
      }
    }
    plain += rest
    guard hasTags else { return }
    // Without tags nobody has escaped anything.
    for (entity, character) in Self.entities { plain = plain.replacing(entity, with: character) }
  }

  /// Where the tag that begins here ends; `nil` if it is none.
  private static func endOfTag(_ text: Substring) -> Substring.Index? {
    let inside = text.dropFirst().prefix(maximumTagLength)
    guard let end = inside.firstIndex(of: ">") else { return nil }
    let content = inside[..<end]
    let name = (content.first == "/" ? content.dropFirst() : content)
      .prefix { $0.isLetter || $0 == "_" }
    guard tags.contains(name.lowercased()) else { return nil }
    return inside.index(after: end)
  }
}
