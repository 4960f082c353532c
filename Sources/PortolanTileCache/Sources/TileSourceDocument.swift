public import Foundation
internal import PortolanJSON
internal import PortolanTiles
internal import PortolanTransport

/// The TileJSON document that a source was read from: when that was, and what may have been changed of
/// it here since.
public struct TileSourceDocument: Hashable, Sendable {
  /// When its server was asked for it last, in whole seconds: sources that were kept and read again are
  /// compared.
  public private(set) var read: Date
  /// Which version it was, as its server says.
  public var entityTag: String?
  /// When it was changed, as its server says.
  public var lastModified: String?
  /// The levels that it named.
  public var levels: ClosedRange<Int>
  /// Whom it credited.
  public var attribution: String?

  /// Notes what a document said.
  init(_ source: MapCacheConfig, _ headers: HTTPHeaders, read: Date) {
    self.read = .distantPast
    entityTag = headers["ETag"]
    lastModified = headers["Last-Modified"]
    levels = source.levels
    attribution = source.attribution
    note(readAt: read)
  }

  /// Notes that its server was asked for it.
  mutating func note(readAt date: Date) {
    read = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
  }
}

extension TileSourceDocument {
  /// The record of a document.
  var json: JSONValue {
    var object: JSONObject = [
      "read": .number(read.timeIntervalSince1970), "minzoom": .integer(Int64(levels.lowerBound)),
      "maxzoom": .integer(Int64(levels.upperBound)),
    ]
    object["etag"] = entityTag.map { .string($0) }
    object["modified"] = lastModified.map { .string($0) }
    object["attribution"] = attribution.map { .string($0) }
    return .object(object)
  }

  /// Reads a record; `nil` if it is none.
  init?(json: JSONValue) {
    guard let read = json["read"]?.double, let minimum = json["minzoom"]?.int,
      let maximum = json["maxzoom"]?.int, minimum <= maximum
    else { return nil }
    self.read = Date(timeIntervalSince1970: read)
    entityTag = json["etag"]?.string
    lastModified = json["modified"]?.string
    levels = minimum...maximum
    attribution = json["attribution"]?.string
  }

  /// What a request has so that the document comes only if it has changed.
  var conditions: HTTPHeaders {
    var fields: HTTPHeaders = [:]
    fields["If-None-Match"] = entityTag
    fields["If-Modified-Since"] = lastModified
    return fields
  }
}

extension MapCacheConfig {
  /// Where its document may be; `nil` where it surely has none.
  ///
  /// Of sources that were added before documents were noted nothing more is known.
  var documentAddress: URL? {
    guard archive == nil, !isImported, let address, !address.contains("{"),
      let url = URL(string: address), url.host() != nil, !url.path().hasSuffix("Server"),
      !url.path().hasSuffix("Server/")
    else { return nil }
    return url
  }

  /// The source as its document describes it now, under the same name.
  ///
  /// Values that were set here take precedence.
  ///
  /// - Parameter told: What the document says.
  /// - Returns: The source; `nil` if there are tiles of another kind now, which cannot be kept beside
  ///   those that are here.
  func described(by told: MapCacheConfig) -> MapCacheConfig? {
    guard told.document != nil, isOfVectors == told.isOfVectors else { return nil }
    var source = self
    source.urlTemplate = told.urlTemplate
    source.alternatives = told.alternatives
    if subdomains.isEmpty { source.subdomains = told.subdomains }
    if minimumZ == document?.levels.lowerBound { source.minimumZ = told.minimumZ }
    if maximumZ == document?.levels.upperBound { source.maximumZ = told.maximumZ }
    if attribution == document?.attribution { source.attribution = told.attribution }
    source.tileSize = told.tileSize
    source.format = told.format
    source.bounds = told.bounds
    source.summary = told.summary
    source.vectorMetadata = told.vectorMetadata
    source.document = told.document
    return source
  }

  private var isOfVectors: Bool { format?.isRaster == false }
}
