internal import Foundation
internal import PortolanApp
internal import PortolanFiles

/// A map as people name it: a file, or a row of the map list.
struct MapSource: Sendable {
  /// What was typed.
  let text: String

  private var url: URL { URL(typedPath: text) }

  /// Opens the map: the stored map with that id, else a file of that name, else the map of the list.
  ///
  /// A folder that happens to have the name of a stored map's id does not hide the map; `./` in
  /// front of the name opens the folder.
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

  /// The map of the list; `nil` if it is a file.
  @MainActor private func item(in session: Session) async throws -> MapListItem? {
    let isFile = FileManager.default.fileExists(atPath: url.path(percentEncoded: false))
    guard isFile || !text.isFromOtherEncoding else { throw Self.unknownName }
    // Looking for a file that is not there must not make a home.
    guard !isFile || canBeID, let library = session.app.library, library.exists else { return nil }
    let maps = try await library.loadedMaps()
    guard !isFile || isID(amongStored: maps.state.items) else { return nil }
    return try item(of: maps)
  }

  /// Whether only a portal has the map: it is a web map that is not on the list, or a file with the
  /// document of one.
  @MainActor func isUnlistedWebMap(in session: Session) async throws -> Bool {
    if url.pathExtension.lowercased() == "json" { return true }
    let isFile = FileManager.default.fileExists(atPath: url.path(percentEncoded: false))
    guard !isFile, text.count == 32, text.allSatisfy(\.isHexDigit) else { return false }
    guard let library = session.app.library, library.exists else { return true }
    return try await !library.loadedMaps().state.items.contains { $0.id == text }
  }

  /// Whether the map is the one that is open.
  @MainActor func isOpen(map index: Int?, in app: AppModel) -> Bool {
    let index = index ?? app.package.contents?.firstOpenable ?? 0
    if app.isOpen(url, map: index) { return true }
    guard let items = app.library?.mapList?.state.items,
      let item = items.first(where: { $0.id == text || $0.title == text })
    else { return false }
    return app.isOpen(stored: item.id, map: index)
  }

  /// Whether the text can be the id of a stored map, so that the list has to be looked at.
  private var canBeID: Bool { !text.contains("/") && !text.contains(".") && !text.contains("~") }

  /// Whether the text is a number of a list, and too short for the id of a map.
  var isListNumber: Bool { text.count <= 5 && Int(text) != nil }

  /// Whether the text is the id of a map that is stored here.
  func isID(amongStored items: [MapListItem]) -> Bool {
    canBeID && items.contains { $0.id == text && $0.canOpenOffline }
  }

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
