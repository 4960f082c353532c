internal import PortolanJSON
internal import PortolanMap
internal import PortolanPortal

/// Writes into a map what the items of its layers say about how they are shown, where the map says
/// nothing of that: on the device the portal cannot be asked.
struct ItemDefinitions {
  private let sources: LayerSources
  private let portal: Portal

  init(_ sources: LayerSources, _ portal: Portal) {
    self.sources = sources
    self.portal = portal
  }

  /// Completes the layers of a map; an item that does not answer leaves its layers as their services show
  /// them.
  ///
  /// - Throws: `PortalError` where another attempt may succeed.
  func complete(_ map: inout WebMap) async throws(PortalError) {
    var ids: [String] = []
    map.updateLayers { layer in
      guard let id = layer.itemID, number(of: layer) != nil, !ids.contains(id) else { return }
      ids.append(id)
    }
    var documents: [String: JSONValue] = [:]
    for text in ids {
      // What is no id names no item.
      guard let id = try? PortalItem.ID(text) else { continue }
      documents[text] = try await LayerSources.answer { () async throws(PortalError) in
        try await portal.json(of: id)
      }
    }
    guard !documents.isEmpty else { return }
    map.updateLayers { layer in
      guard let document = layer.itemID.flatMap({ documents[$0] }), let number = number(of: layer)
      else { return }
      layer = layer.inheriting(from: document, ofLayer: number)
    }
  }

  /// The number of a layer in its feature service; `nil` if it is in none.
  private func number(of layer: Layer) -> Int? {
    switch layer.kind {
    case .feature(.service), .feature(.item), .subtypeGroup, .subtypeGroupTable: break
    default: return nil
    }
    guard let address = sources.addresses(of: layer)?.first.map(LayerAddress.init) else {
      return nil
    }
    return address.layerID ?? layer.json["layerId"]?.int ?? 0
  }
}
