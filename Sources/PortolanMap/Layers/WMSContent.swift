internal import PortolanJSON

/// The layers of a Web Map Service.
public struct WMSContent: Hashable, Sendable {
  /// A layer of the service.
  public struct ServiceLayer: Hashable, Sendable {
    /// The name in requests.
    public let name: String
    /// The name for people.
    public let title: String
  }

  /// The layers of the service that the map knows.
  public let layers: [ServiceLayer]
  /// The names of those that are switched on.
  public let visibleLayers: [String]

  init(json: JSONObject) {
    layers = json.objects("layers").compactMap { layer in
      layer.filledText("name").map {
        ServiceLayer(name: $0, title: layer.filledText("title") ?? $0)
      }
    }
    visibleLayers = json.texts("visibleLayers")
  }
}
