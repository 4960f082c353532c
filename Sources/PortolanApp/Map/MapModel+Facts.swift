public import PortolanGeometry
internal import PortolanMap
internal import PortolanPackages

// The facts about the map as a whole.
extension MapModel {
  /// The attribution: as the map's item has it, then those of the layers that are drawn now,
  /// without HTML and each once; `nil` for none.
  public var credits: String? {
    let layers = tree.ordered.filter { isVisible($0.id) }.flatMap { node in
      contents[node.id]?.attributions(of: node.layer) ?? []
    }
    let text = CreditNames.text(
      of: ([map.item.accessInformation].compactMap(\.self) + layers).map(PlainText.ofHTML))
    return text.isEmpty ? nil : text
  }

  /// The extent to show first, in degrees: what was taken offline, else what the map shows first.
  ///
  /// `nil` for a map in a reference that cannot be projected.
  public var homeExtent: Envelope? {
    if let extent = map.item.extent, extent.width > 0, extent.height > 0 { return extent }
    let frame = map.initialFrame(width: state.frame.width, height: state.frame.height)
    // Without one, the map is shown where the user goes.
    return try? Projection(from: frame.spatialReference, to: .wgs84).project(frame.visibleExtent)
  }
}
