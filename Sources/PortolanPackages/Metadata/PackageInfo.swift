public import Foundation
public import PortolanGeometry
public import PortolanJSON

/// The metadata of a package in its root `.info` file.
///
/// Keys are compared without case, since writers disagree on it.
///
/// - SeeAlso: Docs/FORMATS.md, 1.2
public struct PackageInfo: Hashable, Sendable {
  /// The name, mostly that of the file.
  public var name: String
  /// The title for people.
  public var title: String
  /// One or two sentences on what it holds.
  public var summary: String?
  /// A longer text, possibly with markup.
  public var details: String?
  /// The attribution.
  public var accessInformation: String?
  /// The terms of use.
  public var licenseInfo: String?
  /// Words to find it by.
  public var tags: [String]
  /// The package's id.
  public var guid: String?
  /// The version of the package format, for example `3.2`.
  public var version: String
  /// When it was made.
  public var created: Date?
  /// When it was changed last.
  public var modified: Date?
  /// The extent, in degrees on WGS 84.
  public var extent: Envelope?
  /// The names of the maps, without extension, in order.
  public var mapNames: [String]
  /// The picture of the package: PNG or JPEG, whatever the writer called it.
  public var thumbnail: Data?
  /// Until when it may be used, if limited.
  public var expiration: PackageExpiration?
  /// The file as it was read, with what is not understood.
  public var json: JSONObject

  /// Reads the metadata.
  ///
  /// - Parameters:
  ///   - json: The root `.info` document.
  ///   - fallbackName: The name to use if the document has none.
  public init(json: JSONObject, fallbackName: String) {
    func text(_ key: String) -> String? {
      json.value(ignoringCase: key)?.string.flatMap { $0.isEmpty ? nil : $0 }
    }
    name = text("name") ?? fallbackName
    title = text("title") ?? text("name") ?? fallbackName
    summary = text("summary") ?? text("snippet")
    details = text("description")
    accessInformation = text("accessinformation")
    licenseInfo = text("licenseinfo")
    tags = (json.value(ignoringCase: "tags")?.array ?? []).compactMap(\.string)
    guid = text("guid")
    version =
      text("version") ?? json.value(ignoringCase: "version")?.double.map { "\($0)" } ?? "1.0"
    created = Date(milliseconds: json.value(ignoringCase: "created"))
    modified = Date(milliseconds: json.value(ignoringCase: "modified"))
    extent = Envelope(corners: json.value(ignoringCase: "extent"))
    mapNames = (json.value(ignoringCase: "maps")?.array ?? []).compactMap(Self.mapName)
    thumbnail = text("thumbnail").flatMap(Self.picture)
    expiration = PackageExpiration(anywhereIn: json)
    self.json = json
  }

  /// The number before the first point of the version, if it is one.
  public var majorVersion: Int? {
    version.split(separator: ".").first.flatMap { Int($0) }
  }

  /// A map is named by text, or by an object with a name or a path.
  private static func mapName(_ value: JSONValue) -> String? {
    let path = value.string ?? value["name"]?.string ?? value["path"]?.string
    return path.map { path in
      let file = path.split(separator: "/").last.map(String.init) ?? path
      return file.lowercased().hasSuffix(".mmap") ? String(file.dropLast(5)) : file
    }
  }

  /// The bytes of a `data:` URL, or of plain Base64.
  static func picture(_ text: String) -> Data? {
    let payload = text.hasPrefix("data:") ? text.drop { $0 != "," }.dropFirst() : text[...]
    return Data(base64Encoded: String(payload), options: .ignoreUnknownCharacters)
  }
}

extension Date {
  /// Milliseconds since 1970, as a number or as text.
  init?(milliseconds value: JSONValue?) {
    guard let number = value?.double ?? value?.string.flatMap({ Double($0) }), number.isFinite
    else { return nil }
    self.init(timeIntervalSince1970: number / 1000)
  }
}

extension Envelope {
  /// Two corners, `[[xmin, ymin], [xmax, ymax]]`, as items write their extent.
  init?(corners value: JSONValue?) {
    guard let xMin = value?[0]?[0]?.double, let yMin = value?[0]?[1]?.double,
      let xMax = value?[1]?[0]?.double, let yMax = value?[1]?[1]?.double
    else { return nil }
    let envelope = Envelope(west: xMin, south: yMin, east: xMax, north: yMax, worldWidth: 360)
    guard !envelope.isEmpty else { return nil }
    self = envelope
  }
}
