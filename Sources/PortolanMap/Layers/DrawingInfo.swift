public import PortolanJSON

/// The drawing and labelling of a layer's features.
///
/// The value is the JSON object it was read from; see ``Layer``.
public struct DrawingInfo: Hashable, Sendable {
  /// The object as it was read, with the changes made since.
  public var json: JSONObject

  /// Reads a `drawingInfo`, of a map, a service or a geodatabase; an empty one changes nothing.
  public init(json: JSONObject = [:]) { self.json = json }

  /// This drawing info, completed member by member with that of `service`.
  ///
  /// A map that changes only the labels of a layer keeps the renderer of its service.
  public func inheriting(from service: DrawingInfo) -> DrawingInfo {
    var merged = service
    for member in json.members where !member.value.isNull {
      // A value that is no renderer says nothing of one.
      if member.name == "renderer", renderer == nil { continue }
      merged.json[member.name] = member.value
    }
    return merged
  }

  /// The renderer of the features; reading takes time that grows with the classes, so keep it.
  public var renderer: Renderer? {
    get { Renderer(json: json["renderer"]) }
    set { json["renderer"] = newValue.map { .object($0.json) } }
  }

  /// The label classes, of which each labels the features that it takes.
  public var labelDefinitions: [LabelDefinition] {
    get { json.objects("labelingInfo").map(LabelDefinition.init(json:)) }
    set { json["labelingInfo"] = newValue.isEmpty ? nil : JSONValue(newValue.map(\.json)) }
  }

  /// The transparency of the features, from 0 to 100.
  public var transparency: Double {
    get { min(max(json.number("transparency") ?? 0, 0), 100) }
    set { json["transparency"] = JSONValue(newValue) }
  }

  /// Whether labels are drawn, if the object says so.
  public var showsLabels: Bool? { json.flag("showLabels") }

  /// Whether symbols grow with the map, from its reference scale on.
  public var scalesSymbols: Bool { json.flag("scaleSymbols") ?? true }
}
