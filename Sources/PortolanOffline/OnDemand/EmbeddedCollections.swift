internal import PortolanJSON
internal import PortolanMap
internal import PortolanPortal

/// Puts the features of collections that stand in items of their own into the map, where they are
/// also without a network.
struct EmbeddedCollections {
  private let portal: Portal

  init(_ portal: Portal) { self.portal = portal }

  /// Replaces what names a collection by the collection; an item that cannot be had is left alone.
  func embed(in map: inout WebMap) async throws(PortalError) {
    var ids: [String] = []
    map.updateLayers { layer in
      if let id = Self.collection(layer) { ids.append(id) }
    }
    var documents: [String: JSONValue] = [:]
    for id in ids where documents[id] == nil {
      documents[id] = try await collection(of: id)
    }
    guard !documents.isEmpty else { return }
    map.updateLayers { layer in
      guard let id = Self.collection(layer), let document = documents[id] else { return }
      layer.json["featureCollection"] = document
      layer.json["itemId"] = nil
    }
  }

  /// The item that a layer without an address names.
  private static func collection(_ layer: Layer) -> String? {
    guard case .feature(.item(let id)) = layer.kind else { return nil }
    return id
  }

  private func collection(of id: String) async throws(PortalError) -> JSONValue? {
    do throws(PortalError) {
      // What is no id names no collection.
      guard let id = try? PortalItem.ID(id) else { return nil }
      let item = try await portal.item(id)
      guard item.kind.rawValue == "Feature Collection" else { return nil }
      let document = try await portal.json(of: id)
      return document?["layers"] == nil ? nil : document
    } catch {
      guard error.leavesOtherServices else { throw error }
      return nil
    }
  }
}
