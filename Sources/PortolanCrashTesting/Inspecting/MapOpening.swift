internal import Foundation
internal import PortolanFeatures
internal import PortolanMap
internal import PortolanPackages
internal import PortolanSQLite
internal import PortolanTiles

/// Opens maps as people would, all the way down to the rows of their layers.
struct MapOpening: Sendable {
  /// Where compressed parts of archives go; packages of areas have none.
  private let unpacked: URL

  init(folder: URL) { unpacked = folder.appending(path: "unpacked") }

  /// The title of a map or of one of its packages.
  func title(of url: URL) async throws -> String { try await open(url).info.title }

  private func open(_ url: URL) async throws -> MobileMapPackage {
    try await MobileMapPackage.open(at: url, unpackingInto: unpacked, now: Date())
  }

  /// What is in a map: each layer with its rows or why it has none, and the version of its data.
  func contents(of url: URL) async throws -> MapContents {
    let package = try await open(url)
    var contents = MapContents(version: try version(of: url), layers: [:])
    for name in package.failures.keys { contents.layers[name] = "failed" }
    for map in package.maps {
      for layer in map.webMap.allLayers + map.webMap.basemap.layers {
        contents.layers["\(map.name)/\(layer.id ?? layer.title)"] = try await summary(
          of: map.contents.content(of: layer))
      }
    }
    return contents
  }

  private func summary(of content: LayerContent) async throws -> String {
    switch content {
    case .unavailable: return "unavailable"
    case .tiles(let tiles): return "\(try await tiles.tileCounts().values.reduce(0, +)) tiles"
    case .vectorTiles: return "vector tiles"
    case .group: return "group"
    case .features(let tables), .service(_, let tables):
      var rows = 0
      for table in tables {
        rows += try await table.store.features(
          in: table.schema.name, matching: QueryParameters()
        ).collect().count
      }
      return "\(rows) rows of \(tables.count) tables"
    }
  }

  /// The version that the portal has put into the map's geodatabase; 0 if it holds none.
  private func version(of url: URL) throws -> Int {
    guard
      let file = FileManager.default.enumerator(at: url, includingPropertiesForKeys: nil)?
        .lazy.compactMap({ $0 as? URL }).first(where: { $0.pathExtension == "geodatabase" })
    else { return 0 }
    let connection = try Connection(at: file, access: .readOnly)
    let query = try connection.query("SELECT version FROM crash_version")
    return try query.step() ? Int(query.integer(at: 0)) : 0
  }
}

/// What is in a map.
struct MapContents: Hashable, Sendable {
  /// The version of its data.
  var version: Int
  /// What each layer shows, by map and layer.
  var layers: [String: String]
}
