internal import PortolanJSON
internal import PortolanMap
internal import PortolanPortal

/// Puts the features of collections that are in items of their own into the map, where they are
/// also without a network.
struct EmbeddedCollections {
  private let portal: Portal

  init(_ portal: Portal) { self.portal = portal }

  /// Replaces what names a collection by the collection; an item that is none is left alone.
  ///
  /// - Returns: Why items could not be read, by their ids: their layers may be there another time.
  func embed(in map: inout WebMap) async throws(PortalError) -> [String: PortalError] {
    var ids: [String] = []
    map.updateLayers { layer in
      if let id = Self.collection(layer), !ids.contains(id) { ids.append(id) }
    }
    var documents: [String: JSONValue] = [:]
    var failures: [String: PortalError] = [:]
    for id in ids {
      do throws(PortalError) {
        documents[id] = try await collection(of: id)
      } catch {
        guard error.leavesOtherServices else { throw error }
        failures[id] = error
      }
    }
    guard !documents.isEmpty else { return failures }
    map.updateLayers { layer in
      guard let id = Self.collection(layer), let document = documents[id] else { return }
      layer.json["featureCollection"] = document
      layer.json["itemId"] = nil
    }
    return failures
  }

  /// The item that a layer without an address names.
  static func collection(_ layer: Layer) -> String? {
    guard case .feature(.item(let id)) = layer.kind else { return nil }
    return id
  }

  private func collection(of id: String) async throws(PortalError) -> JSONValue? {
    // What is no id names no collection.
    guard let id = try? PortalItem.ID(id) else { return nil }
    let item = try await portal.item(id)
    guard item.kind.rawValue == "Feature Collection" else { return nil }
    let document = try await portal.json(of: id)
    return document?["layers"] == nil ? nil : document
  }
}
