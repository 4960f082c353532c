public import Foundation
internal import PortolanSQLite

/// The file kind that the first bytes of a file indicate.
public enum FileSignature: Hashable, Sendable {
  /// SQLite with Esri's application id (Docs/FORMATS.md, 2.1).
  case geodatabase
  /// SQLite with one of the application ids of GeoPackages (Docs/FORMATS.md, 4.1).
  case geoPackage
  case otherDatabase
  case pmtiles
  /// ZIP.
  case archive
  /// A JSON object.
  case object
  /// A JSON object that says that it is GeoJSON, at once or after its first members.
  case geoJSON
  /// The properties of a locator, or its compiled style (Docs/FORMATS.md, 5).
  case locator
  case unknown

  /// How many bytes are looked at.
  public static let length = 4_096

  /// Looks at the first ``length`` bytes of a file, or at all of a shorter one.
  public init(_ head: Data) {
    self = Self.binary(head) ?? Self.text(head)
  }

  /// The bytes that are looked at; `nil` where they cannot be read.
  ///
  /// The file may be a database that this program has open: the locks on it would go with a descriptor that is
  /// opened beside it and closed.
  public static func head(of url: URL) -> Data? {
    // Who opens the file says what is in the way.
    try? LockedFileBytes.bytes(of: url, in: 0..<length)
  }

  /// Whether it is a database of any kind.
  var isDatabase: Bool {
    switch self {
    case .geodatabase, .geoPackage, .otherDatabase: true
    default: false
    }
  }

  private static let sqlite = Data("SQLite format 3\0".utf8)
  private static let geodatabaseID = Data("Esri".utf8)
  private static let geoPackageIDs = ["GPKG", "GP10", "GP11"].map { Data($0.utf8) }

  /// A byte order mark, and what precedes each text of a sequence.
  private static let marks: Set<Character> = ["\u{FEFF}", "\u{1E}"]

  private static var geoJSONType: Regex<(Substring, Substring)> {
    /"type"\s*:\s*"(FeatureCollection|Feature|(?:Multi)?(?:Point|LineString|Polygon))"/
  }

  /// Whether features begin whose type comes behind their coordinates, as where a program sorts the members
  /// by name; features in Esri's JSON have no such coordinates.
  private static func listsCoordinates(_ text: String) -> Bool {
    text.contains(/"features"\s*:\s*\[/) && text.contains(/"coordinates"\s*:\s*\[/)
      && !text.contains(/"(attributes|rings|paths|points|layers)"\s*:/)
  }

  private static func binary(_ head: Data) -> FileSignature? {
    if head.starts(with: sqlite) {
      let applicationID = Data(head.dropFirst(68).prefix(4))
      guard applicationID != geodatabaseID else { return .geodatabase }
      return geoPackageIDs.contains(applicationID) ? .geoPackage : .otherDatabase
    }
    // The first two versions began with fewer letters; opening one says that it is too old.
    let beginnings = [Data("PMTiles".utf8), Data("PM\u{1}\0".utf8), Data("PM\u{2}\0".utf8)]
    if beginnings.contains(where: { head.starts(with: $0) }) { return .pmtiles }
    if head.starts(with: Data("PK".utf8)) { return .archive }
    return head.starts(with: Data("PLBS".utf8)) ? .locator : nil
  }

  private static func text(_ head: Data) -> FileSignature {
    let wide = textInUTF16(head)
    let text = wide ?? String(decoding: head, as: UTF8.self)
    let first = text.first { !$0.isWhitespace && !marks.contains($0) }
    // Some programs write features in an array.
    if first == "{" || first == "[", text.firstMatch(of: geoJSONType) != nil { return .geoJSON }
    if first == "{", listsCoordinates(text) { return .geoJSON }
    // Of all that is JSON, only features are read in UTF-16.
    if first == "{" { return wide == nil ? .object : .unknown }
    let isLocator = text.contains("CLSID = {DA70B7E3") || text.contains("CLSID = {26AC4C70")
    return isLocator ? .locator : .unknown
  }

  /// The text, if it begins with a byte order mark of UTF-16, or as JSON in it.
  private static func textInUTF16(_ head: Data) -> String? {
    let bytes = Array(head)
    let isBigEndian: Bool
    switch bytes.prefix(2) {
    case [0xFE, 0xFF], [0, 0x5B], [0, 0x7B]: isBigEndian = true
    case [0xFF, 0xFE], [0x5B, 0], [0x7B, 0]: isBigEndian = false
    default: return nil
    }
    let units = stride(from: 0, to: bytes.count - 1, by: 2).map { place in
      let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
    return String(decoding: units, as: UTF16.self)
  }
}

extension FileKind {
  /// The kind of a ZIP archive, by the paths of the files in it.
  public init(ofArchiveWith paths: some Sequence<String>) {
    let isPackage = paths.contains { path in
      let path = path.lowercased()
      return path.hasSuffix(".mmap") || (path.hasSuffix(".info") && !path.contains("/"))
    }
    self = isPackage ? .mobileMapPackage : .tilePackage
  }
}
