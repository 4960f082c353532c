public import Foundation
public import PortolanTiles

/// The address of a source's tiles, with placeholders for what differs from tile to tile.
///
/// | placeholder | stands for |
/// |---|---|
/// | `{z}`, `{zoom}`, `{level}`, `{TileMatrix}` | the level |
/// | `{0z}` | the level with two digits |
/// | `{z-10}`, `{z+1}` | the level less or more some, for servers that count from another one; also of the names above |
/// | `{x}`, `{col}`, `{TileCol}` | the column from the left |
/// | `{y}`, `{row}`, `{TileRow}` | the row from the top |
/// | `{-y}` | the row from the bottom, as in TMS |
/// | `{q}`, `{quadkey}` | the quadkey |
/// | `{s}`, `{subDomain}` | a sub-domain |
/// | `{switch:a,b,c}`, `{a-c}`, `{1-4}` | one of these sub-domains |
/// | `{r}`, `{ratio}` | `@2x` for dense screens, else nothing |
///
/// `${z}` is another spelling of `{z}`, and so with all others.
public struct TileURLTemplate: Hashable, Sendable {
  /// What differs from tile to tile.
  enum Placeholder: String, Hashable, Sendable {
    case level, paddedLevel, column, row, rowFromBottom, quadkey, subdomain, density

    /// The placeholder with that name between braces.
    init?(name: Substring) {
      switch name {
      case "z", "zoom", "level", "TileMatrix": self = .level
      case "0z": self = .paddedLevel
      case "x", "col", "TileCol": self = .column
      case "y", "row", "TileRow": self = .row
      case "-y": self = .rowFromBottom
      case "q", "quadkey": self = .quadkey
      case "s", "subDomain": self = .subdomain
      case "r", "ratio": self = .density
      case _ where TileURLTemplate.subdomains(in: name) != nil: self = .subdomain
      default: return nil
      }
    }
  }

  private enum Part: Hashable, Sendable {
    case text(String)
    case placeholder(Placeholder)
    /// The level as a server counts it that begins with another one.
    case shiftedLevel(by: Int)

    var isShiftedLevel: Bool {
      if case .shiftedLevel = self { true } else { false }
    }
  }

  /// The template as it was given, with its placeholders between braces.
  public let text: String
  private let parts: [Part]

  /// Reads a template.
  ///
  /// - Throws: ``TileCacheError/badTemplate(_:reason:)`` if it has a placeholder that is unknown,
  ///   does not tell tiles apart, or is no address on the web.
  public init(_ text: String) throws(TileCacheError) {
    let text = Self.withBraces(text)
    self.text = text
    parts = try Self.parts(of: text)
    let found = Set(
      parts.compactMap { part in
        if case .placeholder(let placeholder) = part { placeholder } else { nil }
      })
    let hasRow = found.contains(.row) || found.contains(.rowFromBottom)
    let hasLevel =
      found.contains(.level) || found.contains(.paddedLevel)
      || parts.contains(where: \.isShiftedLevel)
    let isWhole = hasLevel && found.contains(.column) && hasRow
    guard isWhole || found.contains(.quadkey) else {
      throw .badTemplate(Self.shown(text), reason: "{z}, {x} and {y} must all be in it")
    }
    _ = try url(for: TileID(level: 0, row: 0, column: 0), subdomain: "a")
  }

  /// A template with braces around its placeholders, for which browsers and some servers write `%7B` and
  /// `%7D`.
  static func withBraces(_ text: String) -> String {
    guard text.contains("%7") else { return text }
    return text.replacing(#/%7[Bb]([^%{}]+)%7[Dd]/#) { match in
      let isNone = Placeholder(name: match.1) == nil && levelShift(in: match.1) == nil
      return isNone ? String(match.0) : "{\(match.1)}"
    }
  }

  /// Whether addresses end as those of vector tiles do.
  var isOfVectorTiles: Bool {
    let path = text.prefix { $0 != "?" }.lowercased()
    return path.hasSuffix(".pbf") || path.hasSuffix(".mvt")
  }

  /// Whether addresses differ by sub-domain.
  public var hasSubdomains: Bool { parts.contains(.placeholder(.subdomain)) }

  /// The sub-domains that it names itself; `nil` where it names none.
  var ownSubdomains: [String]? {
    for piece in text.split(separator: "{").dropFirst() {
      if let names = Self.subdomains(in: piece.prefix { $0 != "}" }) { return names }
    }
    return nil
  }

  /// The sub-domains that are between braces, as a list or by the first and the last: "switch:a,b,c", "1-4".
  private static func subdomains(in name: Substring) -> [String]? {
    let list = "switch:"
    if name.hasPrefix(list) {
      let names = name.dropFirst(list.count).split(separator: ",").map(String.init)
      return names.isEmpty ? nil : names
    }
    let ends = Array(name.utf8)
    guard ends.count == 3, ends[1] == UInt8(ascii: "-"), ends[0] <= ends[2] else { return nil }
    let alphabets = [
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
    ]
    guard alphabets.contains(where: { $0.contains(ends[0]) && $0.contains(ends[2]) }) else {
      return nil
    }
    return (ends[0]...ends[2]).map { String(UnicodeScalar($0)) }
  }

  /// By how much the level is shifted that is between braces: "z-10", "level+1".
  private static func levelShift(in name: Substring) -> Int? {
    guard let sign = name.firstIndex(where: { "+-".contains($0) }),
      Placeholder(name: name[..<sign]) == .level
    else { return nil }
    let digits = name[name.index(after: sign)...]
    guard (1...2).contains(digits.utf8.count), digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 })
    else { return nil }
    return Int(name[sign...])
  }

  /// The placeholder of the level as a server counts it, with a number for level 0.
  static func placeholder(ofLevelFrom first: Int) -> String {
    first == 0 ? "{z}" : "{z\(first < 0 ? "-" : "+")\(abs(first))}"
  }

  /// The address of a tile.
  ///
  /// - Parameters:
  ///   - tile: The tile.
  ///   - subdomain: What stands for `{s}`; nothing if there is none.
  ///   - isHighResolution: Whether `{r}` is `@2x`.
  /// - Returns: The address.
  /// - Throws: ``TileCacheError/badTemplate(_:reason:)`` if that is no address on the web.
  public func url(
    for tile: TileID, subdomain: String? = nil, isHighResolution: Bool = false
  ) throws(TileCacheError) -> URL {
    var address = ""
    for part in parts {
      switch part {
      case .text(let text): address += text
      case .placeholder(.level): address += "\(tile.level)"
      case .shiftedLevel(let shift): address += "\(tile.level + shift)"
      case .placeholder(.paddedLevel):
        address += tile.level < 10 ? "0\(tile.level)" : "\(tile.level)"
      case .placeholder(.column): address += "\(tile.column)"
      case .placeholder(.row): address += "\(tile.row)"
      case .placeholder(.rowFromBottom): address += "\(tile.tmsRow)"
      case .placeholder(.quadkey): address += Self.quadkey(of: tile)
      case .placeholder(.subdomain): address += subdomain ?? ""
      case .placeholder(.density): address += isHighResolution ? "@2x" : ""
      }
    }
    guard let url = URL(string: address), let scheme = url.scheme?.lowercased(),
      ["http", "https"].contains(scheme), url.host()?.isEmpty == false
    else { throw .badTemplate(Self.shown(text), reason: "it is no address on the web") }
    return url
  }

  /// The quadkey of a tile: a digit a level, from the coarsest; empty at level 0.
  public static func quadkey(of tile: TileID) -> String {
    (0..<max(0, tile.level)).reversed().reduce(into: "") { key, bit in
      key += "\((tile.column >> bit & 1) + 2 * (tile.row >> bit & 1))"
    }
  }

  /// The template without its query, which may hold a key, and without user and password.
  public var withoutSecrets: String { Self.shown(text) }

  /// An address or a template, as it may be shown: without query, fragment, user and password.
  public static func withoutSecrets(_ address: String) -> String { shown(address) }

  /// An address or a template without its query, its fragment, user and password.
  static func shown(_ text: String) -> String {
    let path = text.prefix { $0 != "?" && $0 != "#" }
    guard let root = path.range(of: "://")?.upperBound else { return String(path) }
    let host = path[root...].prefix { $0 != "/" }
    guard let end = host.lastIndex(of: "@") else { return String(path) }
    return String(path[..<root] + path[path.index(after: end)...])
  }

  private static func parts(of text: String) throws(TileCacheError) -> [Part] {
    var parts: [Part] = []
    var rest = text[...]
    while let brace = rest.firstIndex(of: "{") {
      var before = rest[..<brace]
      if before.last == "$" { before.removeLast() }
      if !before.isEmpty { parts.append(.text(String(before))) }
      guard let end = rest[brace...].firstIndex(of: "}") else {
        throw .badTemplate(shown(text), reason: "a brace is not closed")
      }
      let name = rest[rest.index(after: brace)..<end]
      if let placeholder = Placeholder(name: name) {
        parts.append(.placeholder(placeholder))
      } else if let shift = levelShift(in: name) {
        parts.append(.shiftedLevel(by: shift))
      } else {
        throw .badTemplate(shown(text), reason: "the placeholder {\(name)} is unknown")
      }
      rest = rest[rest.index(after: end)...]
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    return parts
  }
}
