internal import PortolanApp

/// The layers that a search is limited to.
struct SearchedLayers: Sendable {
  static let layer = Parameter.option(
    "layer", "LAYER", "Search only this layer, by title or id; several may be given.", count: .any,
    completion: .word(.layer))

  private let choices: [LayerChoice]

  init(_ arguments: Arguments) throws(UsageError) {
    choices = try arguments.values(of: Self.layer, as: .text).map(LayerChoice.init(named:))
  }

  /// The keys of the layers; `nil` for all.
  @MainActor func keys(in map: MapModel) throws -> Set<String>? {
    guard !choices.isEmpty else { return nil }
    return Set(try choices.map { try $0.searchableKey(in: map) })
  }

  /// Searches the layers in all maps of a package.
  ///
  /// - Throws: What the search throws; where none of the maps has one of the layers, those of all are listed.
  @MainActor func inAllMaps(
    _ search: @MainActor (@escaping PackageSearchModel.Layers) async throws -> Void
  ) async throws {
    let seen = SeenLayers()
    do {
      try await search { map in
        seen.add(map)
        return try keys(in: map)
      }
    } catch let failure as Failure where failure.code == .noSuchLayer {
      guard let absent = choices.first(where: { !$0.isAny(of: seen.layers) }) else { throw failure }
      throw absent.absence(among: seen.titles)
    }
  }
}

/// The layers of the maps in which others were looked for.
@MainActor private final class SeenLayers {
  private(set) var layers: [(id: String, title: String)] = []

  /// Their titles, each once.
  var titles: [String] {
    var known: Set<String> = []
    return layers.map(\.title).filter { known.insert($0.lowercased()).inserted }
  }

  func add(_ map: MapModel) {
    layers += map.tableOfContents.state.flattened.map { (id: $0.id, title: $0.title) }
    layers += map.search.layers.map { (id: $0.id, title: $0.title) }
  }
}
