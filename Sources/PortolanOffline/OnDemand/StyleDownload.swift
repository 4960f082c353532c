internal import Foundation
internal import PortolanFiles
internal import PortolanJSON
internal import PortolanLibrary
internal import PortolanMap
internal import PortolanPortal
internal import PortolanTiles

/// Stores the style that a layer of vector tiles has in place of that of its service, with sprites and glyphs.
///
/// The package of tiles that a service exports has the style of the service.
struct StyleDownload {
  /// What became of the style of a layer.
  struct Outcome {
    /// The folder of the style beside the tiles; `nil` where the layer is drawn with the style of its service.
    var folderName: String?
    /// What of the style is missing, as sentences.
    var problems: [String] = []
    /// What stands in for missing parts, as sentences.
    var notes: [String] = []
  }

  /// The first glyphs of the ranges that are stored.
  ///
  /// They have the letters of Latin, Greek, Cyrillic, Hebrew and Arabic, and punctuation. All 256 ranges of each
  /// font would take thousands of requests; for the rest fonts of this machine stand in.
  private static let ranges = [0, 256, 512, 768, 1024, 1280, 1536, 7680, 8192, 8448]
  /// Styles that name more fonts are drawn with fonts of this machine for the rest.
  private static let mostFonts = 32
  /// The most bytes of the name of a folder that every file system takes.
  private static let longestName = 200

  let portal: Portal
  /// The service that exports the tiles.
  let service: VectorTileService
  let info: MapServiceInfo
  /// The folder with the data of the map.
  let folder: URL

  private var client: RESTClient { portal.client }

  /// Stores the style of a layer, unless it is that of the service.
  ///
  /// - Throws: ``PortalError`` where there is no network, `LibraryError` where it cannot be written.
  func store(for layer: Layer) async throws -> Outcome {
    guard case .vectorTile(let named) = layer.kind, let url = address(named, of: layer) else {
      return Outcome()
    }
    let found = try await answer { () async throws(PortalError) in
      try await ServiceStyle.load(url, client: client)
    }
    let name = "style_\(OnDemandPart.digest(of: url.absoluteString.utf8))"
    let resources = folder.appending(path: "\(name)/resources")
    let root = resources.appending(path: "styles/root.json")
    guard let style = found else {
      guard !isThere(root) else {
        return Outcome(
          folderName: name,
          notes: ["Its style cannot be loaded again; the one that was stored before stays."])
      }
      // An item need not have a style of its own.
      guard named.styleURL != nil else { return Outcome() }
      return Outcome(problems: [
        "Its style cannot be loaded, so that it is drawn with that of its service."
      ])
    }
    let standard = try await answer { () async throws(PortalError) in
      try await service.defaultStyle(info)
    }
    guard style.json != standard?.json else { return Outcome() }
    var outcome = Outcome(folderName: name)
    try await storeSprites(of: style, in: resources, &outcome)
    try await storeGlyphs(of: style, in: resources, &outcome)
    try write(Self.local(style.json).encoded(), to: root)
    return outcome
  }

  /// Where the style of a layer is: where the map says, else in its item; `nil` where it has none but that of
  /// its service.
  private func address(_ style: VectorTileStyle, of layer: Layer) -> URL? {
    if let text = style.styleURL?.trimmingCharacters(in: .whitespacesAndNewlines) {
      var parts = URLComponents(string: text.hasPrefix("//") ? "https:" + text : text)
      // A token that was left in the map is not that of the user.
      let kept = parts?.queryItems?.filter { $0.name.lowercased() != "token" } ?? []
      parts?.queryItems = kept.isEmpty ? nil : kept
      return parts?.url
    }
    // An id that cannot be one leads to no style.
    guard let id = layer.itemID.flatMap({ try? PortalItem.ID($0) }) else { return nil }
    return portal.restURL.appending(path: "content/items/\(id)/resources/styles/root.json")
  }

  /// An answer, or `nil` where the server has none.
  private func answer<Value>(
    _ ask: () async throws(PortalError) -> Value
  ) async throws(PortalError) -> Value? {
    do throws(PortalError) { return try await ask() } catch {
      guard error.leavesOtherServices else { throw error }
      return nil
    }
  }

  // MARK: - Files

  private func storeSprites(
    of style: ServiceStyle, in resources: URL, _ outcome: inout Outcome
  ) async throws {
    let names = Self.sheetNames(of: style.json)
    guard !names.isEmpty else { return }
    for isDouble in [false, true] {
      let sprites = try await answer { () async throws(PortalError) in
        try await style.sprites(isDouble: isDouble, client: client)
      }
      for sprite in sprites ?? [] {
        guard let name = names.first(where: { $0.id == sprite.id })?.name else { continue }
        let base = "sprites/\(name)\(isDouble ? "@2x" : "")"
        try write(sprite.index.encoded(), to: resources.appending(path: base + ".json"))
        try write(sprite.image, to: resources.appending(path: base + ".png"))
      }
    }
    // Those for dense screens are not in every style; those from before stand in.
    if names.contains(where: { !isThere(resources.appending(path: "sprites/\($0.name).png")) }) {
      outcome.problems.append("Icons of its style cannot be loaded.")
    }
  }

  private func storeGlyphs(
    of style: ServiceStyle, in resources: URL, _ outcome: inout Outcome
  ) async throws {
    guard style.json["glyphs"]?.string != nil else { return }
    for fonts in Self.fonts(of: style.json).prefix(Self.mostFonts) {
      for first in Self.ranges {
        let found = try await answer { () async throws(PortalError) in
          try await style.glyphs(of: fonts, from: first, client: client)
        }
        let file = resources.appending(path: "fonts/\(fonts)/\(first)-\(first + 255).pbf")
        if let data = found ?? nil {
          try write(data, to: file)
        } else if first == 0, !isThere(file) {
          // Then there is no such font.
          outcome.notes.append("Glyphs of \"\(fonts)\" cannot be loaded; other fonts stand in.")
          break
        }
      }
    }
  }

  /// Whether there is a file, as of the version before or of an earlier run.
  private func isThere(_ file: URL) -> Bool {
    FileManager.default.fileExists(atPath: file.plainPath)
  }

  private func write(_ data: Data, to file: URL) throws {
    do {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      try FileSystem.live.write(data, to: file)
    } catch {
      throw LibraryError(writing: file, error)
    }
  }

  // MARK: - The style

  /// The style with sprites and glyphs beside it.
  private static func local(_ style: JSONValue) -> JSONValue {
    var json = style.object ?? [:]
    let names = sheetNames(of: style)
    if style["sprite"]?.string != nil {
      json["sprite"] = "../sprites/sprite"
    } else if !names.isEmpty {
      json["sprite"] = .array(
        names.map { ["id": .string($0.id), "url": .string("../sprites/\($0.name)")] })
    }
    if style["glyphs"]?.string != nil { json["glyphs"] = "../fonts/{fontstack}/{range}.pbf" }
    return .object(json)
  }

  /// The names of the files of sheets of sprites, by the ids of the sheets.
  private static func sheetNames(of style: JSONValue) -> [(id: String, name: String)] {
    StyleSprite.addresses(of: style).enumerated().map { number, sheet in
      (id: sheet.id, name: number == 0 ? "sprite" : "sprite\(number)")
    }
  }

  /// The fonts that the layers of a style name, each list with commas as glyphs are asked for.
  private static func fonts(of style: JSONValue) -> [String] {
    var found: [String] = []
    for layer in style["layers"]?.array ?? [] {
      guard let value = layer["layout"]?["text-font"] else { continue }
      for fonts in lists(in: value) where !found.contains(fonts) && isName(fonts) {
        found.append(fonts)
      }
    }
    return found
  }

  /// The lists of fonts in a value, which may be an expression or have stops.
  private static func lists(in value: JSONValue) -> [String] {
    if let members = value.object?.members { return members.flatMap { lists(in: $0.value) } }
    guard let array = value.array else { return [] }
    let texts = array.compactMap(\.string)
    guard !texts.isEmpty, texts.count == array.count else { return array.flatMap(lists) }
    // What an expression reads from a feature is no font.
    return ["get", "feature-state"].contains(texts[0]) ? [] : [texts.joined(separator: ",")]
  }

  /// Whether a folder can have the name of fonts.
  private static func isName(_ fonts: String) -> Bool {
    !fonts.contains("/") && !fonts.hasPrefix(".") && fonts.utf8.count <= longestName
  }
}
