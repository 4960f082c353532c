internal import Foundation
internal import PortolanApp
internal import PortolanFiles

/// A map as people name it: a row of the map list, or a file.
///
/// A name that fits both means the stored map, so that no folder in the current directory hides a
/// map on this device, unless it looks like a path: it has a slash, or an extension of files that
/// Portolan reads. `./` in front of a name makes it the path of the file.
struct MapSource: Sendable {
  /// The typed text.
  let text: String

  private var url: URL { URL(typedPath: text) }

  /// Opens the map: the stored map of that id or title, else a file of that name, else the map of the
  /// list.
  ///
  /// - Parameters:
  ///   - index: Which map of it, counted from 0; the first that can be opened if `nil`.
  ///   - session: Where it is opened.
  /// - Returns: How the layers did, for a web map; `nil` for others.
  /// - Throws: A problem if there is neither, or it cannot be opened.
  @MainActor func open(map index: Int?, in session: Session) async throws -> CommandResult? {
    guard let item = try await item(in: session) else {
      try await session.app.open(url, map: index)
      return nil
    }
    guard let layers = try await session.app.open(item, map: index) else { return nil }
    session.offerWords()
    return WebMapPage(contents: layers).result
  }

  /// A layer of the map, found in the same way, by title or by the name of its table.
  ///
  /// - Throws: A problem if there is no such map on this device, the errors of files.
  @MainActor func layer(named name: String, in session: Session) async throws -> InspectedLayer {
    guard let item = try await item(in: session) else {
      return try await session.app.files.layer(named: name, in: url)
    }
    return try await session.app.layer(named: name, of: item)
  }

  /// The web map; `nil` if a file with the document of one is meant.
  ///
  /// - Throws: A problem if there is neither.
  @MainActor func webMap(in session: Session) async throws -> KnownWebMap? {
    guard isFile else { return try await session.app.webMap(named: text) }
    guard !isPath, let map = try await knownWebMap(in: session) else { return nil }
    noteFile(besideNamed: "a web map", in: session)
    return map
  }

  /// The web map with exactly this id or title.
  @MainActor private func knownWebMap(in session: Session) async throws -> KnownWebMap? {
    if isItemID { return try await session.app.webMap(named: text) }
    // A list that cannot be read, or a name of several, leaves the file.
    let known = try? await session.app.knownWebMap(named: text)
    return known.flatMap { $0.title == text ? $0 : nil }
  }

  /// The map of the list; `nil` if it is a file.
  @MainActor private func item(in session: Session) async throws -> MapListItem? {
    guard isFile || !text.isFromOtherEncoding else { throw Self.unknownName }
    guard !isFile else {
      guard let item = try await storedMap(in: session) else { return nil }
      noteFile(besideNamed: "a map on this device", in: session)
      return item
    }
    // Looking for a file that is not there must not make a home.
    guard let library = session.app.library, library.exists else { return nil }
    return try item(of: try await library.loadedMaps())
  }

  /// The stored map that has the name, if it is one and no path.
  @MainActor private func storedMap(in session: Session) async throws(Problem) -> MapListItem? {
    guard !isPath, let library = session.app.library, library.exists,
      // If the list cannot be read, there is still the file.
      let maps = try? await library.loadedMaps(), isName(amongStored: maps.state.items)
    else { return nil }
    return try maps.usableItem(named: text)
  }

  /// Says which of two things with one name is used, and how the other is named.
  @MainActor func noteFile(besideNamed kind: String, in session: Session) {
    session.presenter.note(
      "\"\(text)\" is \(kind), which is used. The file of that name is \"./\(text)\".")
  }

  /// Whether only a portal has the map: it is a web map that is not on the list, or a file with the
  /// document of one.
  @MainActor func isUnlistedWebMap(in session: Session) async throws -> Bool {
    if url.pathExtension.lowercased() == "json" { return true }
    guard !isFile, isItemID else { return false }
    guard let library = session.app.library, library.exists else { return true }
    return try await !library.loadedMaps().state.items.contains { $0.id == text }
  }

  /// Whether the map is the one that is open.
  @MainActor func isOpen(map index: Int?, in session: Session) async throws -> Bool {
    let app = session.app
    guard app.mapIndex != nil else { return false }
    let index = index ?? app.package.contents?.firstOpenable ?? 0
    if app.isOpen(url, map: index) { return try await storedMap(in: session) == nil }
    // A map that is called like a path is not meant by the path.
    guard !(isPath && isFile), let items = app.library?.mapList?.state.items,
      let item = items.first(where: { $0.id == text || $0.title == text })
    else { return false }
    return app.isOpen(stored: item.id, map: index)
  }

  /// Whether there is a file or folder of that name.
  var isFile: Bool {
    FileManager.default.fileExists(atPath: url.path(percentEncoded: false))
  }

  /// Whether the text is the path of a file by its look, whatever is stored here.
  var isPath: Bool {
    text.contains("/") || text.hasPrefix("~") || text == "." || text == ".."
      || Self.fileExtensions.contains(url.pathExtension.lowercased())
  }

  private var isItemID: Bool { text.count == 32 && text.allSatisfy(\.isHexDigit) }

  /// Whether the text is a number of a list, and too short for the id of a map.
  var isListNumber: Bool { text.count <= 5 && Int(text) != nil }

  /// Whether the text is the id or the title of a map that is stored here, and no path.
  func isName(amongStored items: [MapListItem]) -> Bool {
    !isPath && items.contains { ($0.id == text || $0.title == text) && $0.canOpenOffline }
  }

  /// The extensions of files that hold maps or features.
  private static let fileExtensions: Set<String> = [
    "csv", "fgb", "gdb", "geodatabase", "geojson", "geojsonl", "gpkg", "json", "mbtiles", "mmap",
    "mmpk", "ndjson", "pmtiles", "shp", "tpk", "tpkx", "tsv", "vtpk",
  ]

  private static let unknownName = Problem(
    message: "The name of the file is not in UTF-8, so the file cannot be opened.",
    suggestion: "Rename the file, or make a link to it with another name.", kind: .absence)

  @MainActor private func item(of maps: MapListModel) throws(Problem) -> MapListItem {
    do { return try maps.usableItem(named: text) } catch {
      guard error.kind == .absence else { throw error }
      throw Problem(
        message: "There is neither a file \"\(text)\" nor such a map on this device.",
        suggestion: error.suggestion, kind: .absence, actions: error.actions
      ).suggesting(text, among: maps.state.items.map(\.title))
    }
  }
}

extension ValueFormat<MapSource> {
  /// A file, or a map of the list.
  static let mapSource = ValueFormat("the name of a map, or the path of a file") { text in
    text.isEmpty || text.contains("\0") ? nil : MapSource(text: text)
  }
}
