internal import PortolanMap
internal import PortolanPackages
internal import PortolanSearch

// Searching some layers of the map only.
extension SearchModel {
  /// A layer, or a table, whose features can be found.
  public struct SearchableLayer: Hashable, Sendable, Codable, Identifiable {
    /// Its key in the map.
    public var id: String
    /// Its title.
    public var title: String
  }

  /// The layers that can be searched, in the order of the map.
  public var layers: [SearchableLayer] {
    var known: Set<String> = []
    return (map?.searchSources ?? []).filter { known.insert($0.layerID).inserted }.map {
      SearchableLayer(id: $0.layerID, title: $0.title)
    }
  }

  /// The sources of some layers of a map.
  ///
  /// - Throws: A problem if one of the layers cannot be searched.
  func sources(of layers: Set<String>, in map: MapModel) throws(Problem) -> [LocatorSource] {
    let all = map.searchSources
    guard let stranger = layers.subtracting(all.map(\.layerID)).min() else {
      return all.filter { layers.contains($0.layerID) }
    }
    throw Problem(
      .unsearchableLayer,
      message:
        "\"\(map.tree.node(stranger)?.layer.title ?? stranger)\" is not among the layers that can be "
        + "searched.",
      suggestion: Self.choice(among: self.layers.map(\.title)))
  }

  /// The advice to search one of some layers instead; `nil` if there are none.
  nonisolated static func choice(among titles: [String]) -> String? {
    titles.isEmpty ? nil : "Choose among \(titles.joined(separator: ", "))."
  }
}
