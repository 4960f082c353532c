internal import PortolanGeometry
internal import PortolanJSON

extension Envelope {
  /// Reads an extent as layers write it; `nil` for the ways in which they write none.
  init?(layerExtent json: JSONValue) {
    // What is no extent counts as not said, as everywhere in a layer.
    guard let extent = try? Envelope(esriJSON: json), !extent.isEmpty else { return nil }
    // Geodatabases write 9.999e+35 to -9.999e+35 for none (Docs/FORMATS.md, 2.2).
    guard max(abs(extent.xMin), abs(extent.yMin), abs(extent.xMax), abs(extent.yMax)) < 1e35
    else { return nil }
    self = extent
  }
}
