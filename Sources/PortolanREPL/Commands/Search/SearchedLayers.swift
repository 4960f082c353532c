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
}
