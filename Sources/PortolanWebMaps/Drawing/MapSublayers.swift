internal import PortolanJSON
internal import PortolanMap
internal import PortolanPortal

/// The sublayers of a map service, as a layer of a map shows them.
struct MapSublayers: Sendable {
  /// The sublayers in the map.
  let content: MapServiceContent
  /// The sublayer, or the group of some, that the address of the layer names; `nil` for all.
  private let only: Int?
  private let entries: [ServiceLayerEntry]
  private let entriesByID: [Int: ServiceLayerEntry]
  /// The sublayers that the map switches on and off one by one.
  private let isOn: [Int: Bool]

  /// Joins what a map says about the sublayers with what their service says.
  init(_ content: MapServiceContent, of info: MapServiceInfo, only: Int?) {
    self.content = content
    self.only = only
    entries = info.layers
    entriesByID = Dictionary(info.layers.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    let said = content.sublayers.filter {
      $0.json["visibility"] != nil || $0.json["defaultVisibility"] != nil
    }
    isOn = Dictionary(
      said.compactMap { sublayer in
        sublayer.id.flatMap { Int($0) }.map { ($0, sublayer.isVisible) }
      }, uniquingKeysWith: { $1 })
  }

  /// The ids of the sublayers that the service is asked to draw; `nil` for those that it shows itself.
  ///
  /// A group shows the ones in it, and does not count.
  var drawnIDs: [Int]? {
    if let only { return [only] }
    let groups = Set(entries.filter { !$0.sublayerIDs.isEmpty }.map(\.id))
    if let ids = content.visibleLayerIDs { return ids.filter { !groups.contains($0) } }
    guard !isOn.isEmpty else { return nil }
    return entries.map(\.id).filter { !groups.contains($0) && isDrawn($0) }
  }

  /// Whether a sublayer belongs to the layer.
  func contains(_ id: Int) -> Bool { only.map { path(to: id).contains($0) } ?? true }

  /// Whether a sublayer is drawn, as far as it does not depend on the scale.
  func isDrawn(_ id: Int) -> Bool {
    let path = path(to: id)
    if let only {
      guard let end = path.firstIndex(of: only) else { return false }
      return path[..<end].allSatisfy { entriesByID[$0]?.isVisible ?? true }
    }
    if let ids = content.visibleLayerIDs { return ids.contains(id) }
    // Services may name each other as parents.
    let next = path.last.flatMap { entriesByID[$0]?.parentID }
    if let next, path.contains(next) { return false }
    return path.allSatisfy { isOn[$0] ?? entriesByID[$0]?.isVisible ?? true }
  }

  /// Whether the legend has a sublayer.
  func showsLegend(_ id: Int) -> Bool { isDrawn(id) && (sublayer(id)?.showsLegend ?? true) }

  /// The map's definition of a sublayer's features: its condition, its popup.
  func layer(_ id: Int) -> Layer { Layer(json: sublayer(id)?.json ?? [:]) }

  private func sublayer(_ id: Int) -> Sublayer? {
    content.sublayers.last { $0.id.flatMap { Int($0) } == id }
  }

  /// The sublayer and the groups that it is in, innermost first, each once.
  private func path(to id: Int) -> [Int] {
    var path = [id]
    while let parent = path.last.flatMap({ entriesByID[$0]?.parentID }),
      entriesByID[parent] != nil, !path.contains(parent)
    {
      path.append(parent)
    }
    return path
  }
}
