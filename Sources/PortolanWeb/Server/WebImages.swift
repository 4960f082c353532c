internal import Foundation
internal import PortolanApp
internal import PortolanFeatures
internal import PortolanHTTPServer
internal import PortolanMap
internal import PortolanTiles
internal import PortolanTransport

/// The images of a page: tiles of the open map, legends, bookmarks, thumbnails, attachments.
@MainActor
final class WebImages {
  private let app: AppModel
  private let revisions: MapRevisions
  /// The tiles of the open map by how many pixels a point has, and what they were drawn at.
  private var sources: [Double: any TileSource] = [:]
  private var drawnRevision: Int?

  init(app: AppModel, revisions: MapRevisions) {
    self.app = app
    self.revisions = revisions
  }

  func response(
    to parts: [String], _ query: [String: String]
  ) async throws(Problem) -> HTTPServerResponse {
    switch (parts.first, parts.count) {
    case ("tiles", 5): return try await tile(parts, ratio: query["ratio"])
    case ("legend", 4): return try legend(layer: parts[2], Int(parts[3]))
    case ("bookmarks", 3): return try await bookmark(Int(parts[2]))
    case ("items", 2): return try itemPicture(parts[1])
    case ("thumbnails", 2): return try await thumbnail(of: parts[1])
    case ("attachments", 2): return try await attachment(Int64(parts[1]), query)
    default: throw Self.nothing
    }
  }

  /// Whether pictures have addresses of this form.
  nonisolated static func isAddress(_ parts: [String]) -> Bool {
    parts.first.flatMap { partCounts[$0] } == parts.count
  }

  /// The number of path components in the address of each kind of picture.
  private nonisolated static let partCounts = [
    "tiles": 5, "legend": 4, "bookmarks": 3, "items": 2, "thumbnails": 2, "attachments": 2,
  ]

  private static let nothing = Problem(message: "There is no such picture.", kind: .absence)

  private func map() throws(Problem) -> MapModel {
    guard let map = app.map else { throw Self.nothing }
    return map
  }

  // MARK: - The map

  private func tile(
    _ parts: [String], ratio: String?
  ) async throws(Problem) -> HTTPServerResponse {
    guard let level = Int(parts[2]), let column = Int(parts[3]),
      let row = Int(parts[4].split(separator: ".").first ?? ""), (0...23).contains(level),
      (0..<(1 << level)).contains(column), (0..<(1 << level)).contains(row)
    else { throw Self.nothing }
    let source = try source(ratio: ratio == "2" ? 2 : 1)
    do {
      let id = TileID(level: level, row: row, column: column)
      let drawn = try await map().tiles.tile(at: id, of: source)
      guard let tile = drawn.tile else {
        return HTTPServerResponse(status: 204, headers: ["Cache-Control": "private, max-age=600"])
      }
      return Self.picture(
        tile.data, isFixed: drawn.isFinal && Int(parts[1]) == drawnRevision)
    } catch {
      throw Problem(error)
    }
  }

  private func source(ratio: Double) throws(Problem) -> any TileSource {
    let revision = revisions.revision(of: try map())
    if drawnRevision != revision { sources = [:] }
    drawnRevision = revision
    if let source = sources[ratio] { return source }
    var options = MapTilesModel.Options()
    options.pixelRatio = ratio
    let source = try map().tiles.source(options)
    sources[ratio] = source
    return source
  }

  private func legend(layer: String, _ index: Int?) throws(Problem) -> HTTPServerResponse {
    let legend = try map().legend
    let section = legend.state.sections.first { $0.id == layer }
    guard let index, let section, section.entries.indices.contains(index),
      let data = legend.picture(
        of: section.entries[index].swatch, width: 32, height: 32, pixelRatio: 2)
    else { throw Self.nothing }
    return Self.picture(data, isFixed: true)
  }

  private func bookmark(_ index: Int?) async throws(Problem) -> HTTPServerResponse {
    guard let index, let data = try await map().bookmarks.thumbnail(at: index) else {
      throw Self.nothing
    }
    return Self.picture(data, isFixed: true)
  }

  // MARK: - Others

  private func thumbnail(of id: String) async throws(Problem) -> HTTPServerResponse {
    guard let maps = try await app.library?.maps() else { throw Self.nothing }
    guard let data = try await maps.thumbnail(of: id) else {
      // A row without a picture is no fault that the console of the browser need show.
      guard maps.state.items.contains(where: { $0.id == id }) else { throw Self.nothing }
      return HTTPServerResponse(status: 204, headers: ["Cache-Control": "no-cache"])
    }
    return Self.picture(data, isFixed: false)
  }

  /// The picture of the item of the portal that is shown.
  private func itemPicture(_ id: String) throws(Problem) -> HTTPServerResponse {
    guard let details = app.portal?.item?.state.details, details.id == id,
      let data = details.thumbnail
    else { throw Self.nothing }
    return Self.picture(data, isFixed: false)
  }

  private func attachment(
    _ id: Int64?, _ query: [String: String]
  ) async throws(Problem) -> HTTPServerResponse {
    let popups = try map().popups
    // Another page may have selected another feature meanwhile.
    guard let page = popups.state.selection.map({ popups.state.pages[$0.index] }),
      page.layerID == query["layer"], "\(page.objectID)" == query["objectID"]
    else { throw Self.nothing }
    let known = popups.state.selection?.attachments.first { $0.id == id }
    guard let known else { throw Self.nothing }
    let data = try await popups.data(of: known.id)
    // A browser must not show other types as a page of this server.
    let type = Self.type(of: data) ?? Self.documentType(of: data, named: known.name)
    let use = type == nil ? "attachment" : "inline"
    return HTTPServerResponse(
      headers: [
        "Content-Type": type ?? "application/octet-stream", "Cache-Control": "no-store",
        "Content-Disposition": "\(use); filename*=UTF-8''\(known.name.pathComponent)",
      ], body: .bytes(data))
  }

  private static func picture(_ data: Data, isFixed: Bool) -> HTTPServerResponse {
    HTTPServerResponse(
      headers: [
        "Content-Type": type(of: data) ?? "application/octet-stream",
        "Cache-Control": isFixed ? "private, max-age=3600, immutable" : "no-cache",
      ], body: .bytes(data))
  }

  /// The type of what browsers have a viewer for, in which nothing of it can act for this server;
  /// `nil` for anything else.
  private static func documentType(of data: Data, named name: String) -> String? {
    if data.starts(with: Array("%PDF-".utf8)) { return "application/pdf" }
    let ending = name.split(separator: ".").last?.lowercased() ?? ""
    let isText = textEndings.contains(ending) && !data.contains(0)
    return isText && String(data: data, encoding: .utf8) != nil ? "text/plain; charset=utf-8" : nil
  }

  /// The endings of texts that are shown as they are.
  private static let textEndings: Set = ["txt", "csv", "md", "log", "json", "xml"]

  /// The type of a picture, by its first bytes; `nil` for anything else.
  private static func type(of data: Data) -> String? {
    if data.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
    if data.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if data.starts(with: Array("GIF8".utf8)) { return "image/gif" }
    if data.starts(with: Array("RIFF".utf8)), data.dropFirst(8).starts(with: Array("WEBP".utf8)) {
      return "image/webp"
    }
    return nil
  }
}
