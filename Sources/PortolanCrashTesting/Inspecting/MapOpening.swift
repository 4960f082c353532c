internal import Foundation
internal import PortolanFeatures
internal import PortolanFiles
internal import PortolanLibrary
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

  /// The title of a map, for an audit; what keeps it from being opened now says nothing of what it is, as in
  /// the app.
  func auditedTitle(of url: URL) async throws -> String {
    do { return try await title(of: url) } catch {
      switch error {
      case PackageError.busy(let file, let holder):
        throw LibraryError.beingWritten(file: file, by: holder)
      case PackageError.unreadable(let file, let reason),
        FileError.unreadable(let file, let reason):
        throw LibraryError.unreadable(file: file, reason: reason)
      case FileError.diskFull(let file):
        throw LibraryError.unreadable(file: file, reason: FileError.diskFull(file: file).reason)
      default: throw error
      }
    }
  }

  private func open(_ url: URL) async throws -> MobileMapPackage {
    try await MobileMapPackage.open(at: url, unpackingInto: unpacked, now: Date())
  }

  /// What is in a map: each layer with its rows or why it has none, and the version of its data.
  func contents(of url: URL) async throws -> MapContents {
    let package = try await open(url)
    var contents = MapContents(version: try version(of: url), layers: [:])
    contents.paths = Self.paths(in: url)
    if contents.paths.contains(where: { $0.hasSuffix(".geodatabase") }) {
      contents.marks = try await ChildEditor.marks(in: try Self.geodatabase(in: url))
    }
    contents.layers = try await summaries(of: package)
    return contents
  }

  /// What the layers of a map, or of a package, show.
  func layers(of url: URL) async throws -> [String: String] {
    try await summaries(of: try await open(url))
  }

  /// How many rows the layers of a map, or of a package, show that were added by groups of edits.
  func addedRows(of url: URL) async throws -> Int {
    var count = 0
    for map in try await open(url).maps {
      for layer in map.webMap.allLayers + map.webMap.basemap.layers {
        switch await map.contents.content(of: layer) {
        case .features(let tables), .service(_, let tables), .pictures(_, _, let tables):
          for table in tables {
            let features = table.store.features(in: table.schema.name, matching: QueryParameters())
            for try await feature in features where ChildEditor.isAdded(feature) { count += 1 }
          }
        default: continue
        }
      }
    }
    return count
  }

  private func summaries(of package: MobileMapPackage) async throws -> [String: String] {
    var layers: [String: String] = [:]
    for name in package.failures.keys { layers[name] = "failed" }
    for map in package.maps {
      for layer in map.webMap.allLayers + map.webMap.basemap.layers {
        layers["\(map.name)/\(layer.id ?? layer.title)"] = try await summary(
          of: map.contents.content(of: layer))
      }
    }
    return layers
  }

  private func summary(of content: LayerContent) async throws -> String {
    switch content {
    case .unavailable, .notSupported: return "unavailable"
    case .tiles(let tiles): return "\(try await tiles.tileCounts().values.reduce(0, +)) tiles"
    case .vectorTiles, .styledTiles: return "vector tiles"
    case .group: return "group"
    case .features(let tables), .service(_, let tables), .pictures(_, _, let tables):
      var rows = 0
      for table in tables {
        let features = table.store.features(in: table.schema.name, matching: QueryParameters())
        for try await feature in features where !ChildEditor.isAdded(feature) { rows += 1 }
      }
      return "\(rows) rows of \(tables.count) tables"
    }
  }

  /// The version that the portal has put into the map's geodatabase; 0 if it holds none.
  private func version(of url: URL) throws -> Int {
    guard let file = try? Self.geodatabase(in: url) else { return 0 }  // It has none.
    let connection = try Connection(at: file, access: .readOnly)
    let query = try connection.query("SELECT version FROM crash_version")
    return try query.step() ? Int(query.integer(at: 0)) : 0
  }

  /// The geodatabase in the folder of a map.
  static func geodatabase(in map: URL) throws -> URL {
    guard let path = paths(in: map).first(where: { $0.hasSuffix(".geodatabase") }) else {
      throw CrashTestError.noArea
    }
    return map.appending(path: path)
  }

  /// The files of a map by path; hidden ones and the journals of databases are left out, and copies
  /// that were begun are not.
  private static func paths(in map: URL) -> Set<String> {
    let names = FileManager.default.enumerator(atPath: map.path(percentEncoded: false))
    return Set(
      (names?.allObjects as? [String] ?? []).filter { path in
        let name = path.split(separator: "/").last ?? ""
        let isHidden = name.hasPrefix(".") && !name.hasPrefix(".dat.nosync")
        return !isHidden && !["-wal", "-shm", "-journal"].contains { name.hasSuffix($0) }
      })
  }
}

/// The contents of a map.
struct MapContents: Hashable, Sendable {
  /// The version of its data.
  var version: Int
  /// What each layer shows, by map and layer.
  var layers: [String: String]
  /// Its files and folders.
  var paths: Set<String> = []
  /// What edits have left in each table.
  var marks: [EditMarks] = []

  /// What must be the same in every version of the map.
  var shape: MapShape { MapShape(layers: layers, paths: paths) }
}

/// The contents of an intact map, and its files.
struct MapShape: Hashable, Sendable {
  var layers: [String: String]
  var paths: Set<String>

  /// How another map differs from this one.
  func faults(_ other: MapShape) -> [String] {
    var faults: [String] = []
    if layers != other.layers { faults.append("shows \(other.layers), not \(layers)") }
    let (missing, added) = (paths.subtracting(other.paths), other.paths.subtracting(paths))
    if !missing.isEmpty { faults.append("lacks \(missing.sorted())") }
    if !added.isEmpty { faults.append("holds \(added.sorted()) beside its files") }
    return faults
  }
}
