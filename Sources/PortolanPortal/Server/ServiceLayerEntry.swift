public import PortolanGeometry
internal import PortolanJSON

/// A layer or table in the list of its service.
public struct ServiceLayerEntry: Hashable, Sendable, Identifiable {
  /// The id, which is also its address below the service.
  public var id: Int
  /// The name for people.
  public var name: String
  /// The type, for example `Feature Layer`, if the service gives it.
  public var type: String?
  /// The kind of shape.
  public var geometryType: GeometryType?
  /// The group that it is in.
  public var parentID: Int?
  /// The sublayers, if it is a group.
  public var sublayerIDs: [Int]
  /// Whether it is shown at first.
  public var isVisible: Bool
  /// The smallest scale at which it is shown, 0 for no limit.
  public var minScale: Double
  /// The largest scale at which it is shown, 0 for no limit.
  public var maxScale: Double
}

extension ServiceLayerEntry {
  /// Reads an entry; `nil` if it has no id.
  init?(json: JSONObject) {
    guard let id = json.int("id"), id >= 0 else { return nil }
    self.id = id
    name = json.text("name") ?? ""
    type = json.filledText("type")
    geometryType = json.text("geometryType").flatMap(GeometryType.init(rawValue:))
    parentID = json.int("parentLayerId").flatMap { $0 >= 0 ? $0 : nil }
    sublayerIDs = json.ints("subLayerIds") ?? []
    isVisible = json.flag("defaultVisibility") ?? true
    minScale = json.number("minScale") ?? 0
    maxScale = json.number("maxScale") ?? 0
  }
}

extension JSONObject {
  /// The extent of a member; what is none counts as not said.
  func extent(_ name: String) -> Envelope? {
    // Services write `null`, "NaN" and extents turned inside out for none.
    guard let extent = self[name].flatMap({ try? Envelope(esriJSON: $0) }), !extent.isEmpty else {
      return nil
    }
    return extent
  }
}
