internal import PortolanJSON

/// How a service drew the features of a table.
struct TableDrawing: Sendable {
  /// The `drawingInfo` of the layer resource.
  var info: JSONValue?
  /// The same with CIM symbols.
  var advancedInfo: JSONValue?
}
