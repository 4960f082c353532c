public import PortolanGeometry
public import PortolanJSON

/// A feature at an identified place.
public struct IdentifyResult: Hashable, Sendable {
  /// The id of its layer.
  public var layerID: Int
  /// The name of its layer.
  public var layerName: String
  /// The value of the display field.
  public var value: String
  /// The name of the display field.
  public var displayFieldName: String?
  /// The values as texts, by the names of the fields for people.
  public var attributes: JSONObject
  /// Its shape, in the spatial reference of the request, if it was requested and can be read.
  public var geometry: Geometry?
}

extension IdentifyResult {
  /// Reads a result; `nil` if it belongs to no layer.
  init?(json: JSONValue) {
    guard let object = json.object, let id = object.int("layerId") else { return nil }
    layerID = id
    layerName = object.text("layerName") ?? ""
    value = object.text("value") ?? ""
    displayFieldName = object.filledText("displayFieldName")
    attributes = object.object("attributes") ?? [:]
    // A shape that cannot be read must not hide what is there.
    geometry = object["geometry"].flatMap { try? Geometry(esriJSON: $0) }
  }
}
