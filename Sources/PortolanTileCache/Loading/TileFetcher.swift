internal import Foundation
internal import PortolanArchives
internal import PortolanJSON
internal import PortolanTiles
internal import PortolanTransport

/// Requests a tile from a server, and checks everything in the response.
struct TileFetcher: Sendable {
  /// What a server has said.
  enum Answer: Sendable {
    case tile(StoredTile, TileFreshness)
    /// There is no such tile; with what the server refused it, or ``TileCacheError/nothingThere(_:)`` where it
    /// says so with success.
    case absent(StoredTile, because: TileCacheError)
    case notModified(StoredTile)
  }

  let transport: any HTTPTransport
  /// What reads the source where that is a file; `nil` where each tile has an address.
  let archive: RemoteTileArchive?
  let now: @Sendable () -> Date
  /// Which of the addresses of a source have failed, where it has several.
  private let failing = FailingAddresses()

  init(
    transport: any HTTPTransport, archive: RemoteTileArchive?, now: @escaping @Sendable () -> Date
  ) {
    (self.transport, self.archive, self.now) = (transport, archive, now)
  }

  /// Asks for a tile, telling the server the version of what is `known`, if anything is.
  func fetch(
    _ tile: TileID, of config: MapCacheConfig, unlessIs known: StoredTile?
  ) async throws(TileCacheError) -> Answer {
    if let archive {
      let found = try await self.tile(at: tile, in: archive)
      if let found {
        try await Self.check(found.format, of: archive, config)
        guard found.data.count <= config.tileByteLimit else {
          throw .transport(
            .tooLarge(config.urlTemplate.withoutSecrets, limit: config.tileByteLimit))
        }
      }
      let stored = StoredTile(data: found?.data, fetched: now())
      return found == nil
        ? .absent(stored, because: .nothingThere(config.urlTemplate.withoutSecrets))
        : .tile(stored, TileFreshness([:], receivedAt: stored.fetched))
    }
    let templates = failing.inOrder(config.templates(for: tile), at: now())
    for template in templates.dropLast() {
      do throws(TileCacheError) {
        let answer = try await fetch(tile, from: template, of: config, unlessIs: known)
        failing.forget(template)
        return answer
      } catch {
        guard error.isOfOneServer else { throw error }
        failing.note(template, at: now())
      }
    }
    return try await fetch(
      tile, from: templates.last ?? config.urlTemplate, of: config, unlessIs: known)
  }

  /// Asks for a tile by one of the templates of its source.
  private func fetch(
    _ tile: TileID, from template: TileURLTemplate, of config: MapCacheConfig,
    unlessIs known: StoredTile?
  ) async throws(TileCacheError) -> Answer {
    var request = try config.request(for: tile, from: template)
    // Half a tile is asked for as if there was none: that it has not changed would keep it so.
    if let known, known.isWhole {
      if let tag = known.entityTag { request.headers["If-None-Match"] = tag }
      if let date = known.lastModified { request.headers["If-Modified-Since"] = date }
    }
    let response: HTTPResponse
    do {
      response = try await transport.send(request, limit: config.tileByteLimit)
    } catch {
      throw error == .cancelled ? .cancelled : .transport(error)
    }
    return try answer(response, config, request)
  }

  /// A tile of a file; of one that was found to be another now, that of the new one.
  private func tile(
    at tile: TileID, in archive: RemoteTileArchive
  ) async throws(TileCacheError) -> Tile? {
    do throws(TileCacheError) { return try await archive.tile(at: tile, now: now()) } catch {
      guard case .refused(_, status: 412) = error else { throw error }
      return try await archive.tile(at: tile)
    }
  }

  /// Refuses tiles of a file that took the place of one of another kind: pictures and vector tiles do not mix.
  private static func check(
    _ format: TileFormat, of archive: RemoteTileArchive, _ config: MapCacheConfig
  ) async throws(TileCacheError) {
    let isOfVectorTiles = config.format?.isRaster == false
    guard format.isRaster == isOfVectorTiles else { return }
    // A file that does not say what its tiles are has always been taken for one of pictures.
    if !format.isRaster, try await !archive.info().isVector { return }
    throw .notATile(
      config.urlTemplate.withoutSecrets,
      reason:
        "it is \(format.fileExtension), where \(isOfVectorTiles ? "pbf" : "a picture") was due")
  }

  private func answer(
    _ response: HTTPResponse, _ config: MapCacheConfig, _ request: HTTPRequest
  ) throws(TileCacheError) -> Answer {
    let received = now()
    let freshness = TileFreshness(response.headers, receivedAt: received)
    var stored = StoredTile(
      data: nil, entityTag: response.headers["ETag"],
      lastModified: response.headers["Last-Modified"], fetched: received,
      lifetime: freshness.lifetime)
    var absence = stored
    // Without a network it is known all the same that there is no tile; with one the server is asked again.
    if freshness.mayNotBeStored { absence.lifetime = 0 }
    switch response.status {
    case 200:
      switch try Self.contents(of: response, config, request) {
      case .nothing(let reason): return .absent(absence, because: reason)
      case .tile:
        stored.data = response.body
        return .tile(stored, freshness)
      }
    case 204: return .absent(absence, because: .nothingThere(request.address))
    case 404, 410:
      return .absent(absence, because: .refused(request.address, status: response.status))
    case 400 where Self.isOutOfRange(response.body):
      return .absent(absence, because: .refused(request.address, status: response.status))
    case 304: return .notModified(stored)
    default:
      throw TileCacheError(
        status: response.status, at: request.address,
        retryAfter: response.head.retryAfter(now: now()))
    }
  }

  /// Whether a WMTS refuses a tile since it lies outside of the extent of its layer.
  ///
  /// - SeeAlso: OGC 07-057r7, table 25
  private static func isOutOfRange(_ body: Data) -> Bool {
    body.prefix(documentLimit).range(of: Data("TileOutOfRange".utf8)) != nil
  }

  /// What an answer of success holds.
  private enum Contents {
    case tile
    /// There is no such tile; with the error that a document names, or that nothing lies there.
    case nothing(because: TileCacheError)
  }

  /// Looks at the body of an answer.
  private static func contents(
    of response: HTTPResponse, _ config: MapCacheConfig, _ request: HTTPRequest
  ) throws(TileCacheError) -> Contents {
    let body = response.body
    if let length = response.head.contentLength, response.headers["Content-Encoding"] == nil,
      length != body.count
    {
      throw .notATile(
        request.address, reason: "\(body.count) of \(length) announced bytes arrived")
    }
    let isVector = config.format?.isRaster == false
    guard !body.isEmpty else {
      // Servers of vector tiles say with it that nothing lies there.
      if isVector { return .nothing(because: .nothingThere(request.address)) }
      throw .notATile(request.address, reason: "the answer is empty")
    }
    guard let format = TileFormat(detecting: body) else {
      return .nothing(because: try absence(in: body, response, request))
    }
    let start = format == .gzippedVectorTile ? Gzip.beginning(of: body, count: 256) : Data()
    if let inner = TileFormat(detecting: start), inner != .vectorTile {
      throw .notATile(
        request.address,
        reason: inner.isRaster
          ? "it is \(inner.fileExtension) that is compressed, which the server does not say"
          : "it is compressed twice")
    }
    try check(format, config, response, request)
    guard format.isWhole(body) else {
      throw .notATile(request.address, reason: "only the beginning of it arrived")
    }
    if let document = document(beginningWith: start, compressedIn: body) {
      return .nothing(because: try absence(in: document, response, request))
    }
    return .tile
  }

  /// How much of a document is looked at.
  private static let documentLimit = 65_536

  /// The document, a page or JSON, that is compressed where a vector tile was due; `nil` for a tile, none of
  /// which begins so.
  private static func document(beginningWith start: Data, compressedIn body: Data) -> Data? {
    let blanks = Array("\t\n\r ".utf8)
    guard let first = start.first(where: { !blanks.contains($0) }),
      first == UInt8(ascii: "<") || first == UInt8(ascii: "{")
    else { return nil }
    // Of a long or damaged document the beginning says enough.
    return (try? Gzip.decompress(body, limit: documentLimit, name: "document")) ?? start
  }

  /// How an answer without a tile reports its absence; throws any other failure.
  ///
  /// ArcGIS services answer failures with status 200 and a document, also that there is no such service.
  private static func absence(
    in body: Data, _ response: HTTPResponse, _ request: HTTPRequest
  ) throws(TileCacheError) -> TileCacheError {
    // What is no such document is named for what it is below.
    if body.count < 65_536, let json = try? JSONValue(parsing: body),
      let code = json["error"]?["code"]?.int
    {
      let error = TileCacheError(status: code, at: request.address)
      guard [404, 422].contains(code) else { throw error }
      return error
    }
    let start = String(decoding: body.prefix(256), as: UTF8.self).lowercased()
    if start.contains("<html") || start.contains("<!doctype html") {
      throw .notATile(request.address, reason: "it is a page of HTML")
    }
    throw .notATile(
      request.address,
      reason: "it is \(response.head.contentType ?? "something of no known format")")
  }

  private static func check(
    _ format: TileFormat, _ config: MapCacheConfig, _ response: HTTPResponse, _ request: HTTPRequest
  ) throws(TileCacheError) {
    if let wanted = config.format {
      let isWanted = wanted.isRaster ? format == wanted : !format.isRaster
      guard isWanted else {
        throw .notATile(
          request.address,
          reason: "it is \(format.fileExtension), where \(wanted.fileExtension) was due")
      }
    } else if let declared = TileFormat(mediaType: response.head.contentType ?? ""),
      declared.isRaster, declared != format
    {
      throw .notATile(
        request.address,
        reason: "it is declared as \(declared.fileExtension) and is \(format.fileExtension)")
    }
  }
}

extension TileFormat {
  /// The format of pictures that a media type names; `nil` for any other.
  init?(mediaType: String) {
    switch mediaType {
    case "image/png": self = .png
    case "image/jpeg", "image/jpg": self = .jpeg
    case "image/webp": self = .webp
    default: return nil
    }
  }
}
