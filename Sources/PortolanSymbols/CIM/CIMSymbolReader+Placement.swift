internal import PortolanDrawing
internal import PortolanJSON
internal import PortolanMap

extension CIMSymbolReader {
  /// Sets the placement of a layer's markers on lines and areas.
  func place(_ marker: inout MarkerStyle, _ json: JSONObject?, _ problems: inout [String]) {
    guard let json, let type = json.text("type") else { return }
    let name = type.hasPrefix("CIMMarkerPlacement") ? String(type.dropFirst(18)) : type
    marker.lineOffset = reader.pixels(json.number("offset") ?? 0)
    // Markers in areas are not turned; along lines they are by default.
    marker.followsLine = json.flag("angleToLine") ?? true
    switch name {
    case "PolygonCenter": marker.placement = .middle
    case "OnLine": marker.placement = onLine(json.text("relativeTo"))
    case "OnVertices":
      marker.followsLine = false
      marker.placement = .vertices(ends: json.flag("placeOnEndPoints") ?? true)
    case "AtRatioPositions":
      let shares = (json["positionArray"]?.array ?? []).prefix(1000).compactMap(\.lenientNumber)
      marker.placement = .ratios(shares)
    case "AtExtremities":
      let ends = json.text("extremityPlacement")
      marker.placement = .ends(
        first: ends != "JustEnd", last: ends != "JustBegin",
        inset: reader.pixels(json.number("offsetAlongLine") ?? 0))
    case "AlongLineSameSize": marker.placement = .along(row(json))
    case "AlongLineVariableSize", "AlongLineRandomSize":
      marker.placement = .along(row(json))
      problems.append("markers along lines are all of one size, not as \"\(name)\" asks")
    case "InsidePolygon": marker.placement = .grid(grid(json))
    default: problems.append("markers are not placed as \"\(name)\" asks, but once")
    }
  }

  private func onLine(_ relativeTo: String?) -> MarkerStyle.Placement {
    switch relativeTo {
    case "LineBeginning": .ends(first: true, last: false)
    case "LineEnd": .ends(first: false, last: true)
    case "SegmentMidpoint": .segments
    default: .middle
    }
  }

  private func row(_ json: JSONObject) -> MarkerStyle.Row {
    let template = (json["placementTemplate"]?.array ?? []).prefix(100)
      .compactMap(\.lenientNumber).map { reader.pixels($0) }
    let endings = json.text("endings")
    let start = reader.pixels(json.number("offsetAlongLine") ?? 0)
    return MarkerStyle.Row(
      distances: template.isEmpty ? [reader.pixels(20)] : template,
      start: endings == "Custom" || endings == "NoConstraint" ? start : nil,
      meetsEnds: endings == "WithMarkers")
  }

  private func grid(_ json: JSONObject) -> MarkerStyle.Grid {
    var grid = MarkerStyle.Grid(
      stepX: reader.pixels(json.number("stepX") ?? 16),
      stepY: reader.pixels(json.number("stepY") ?? 16))
    grid.angle = json.number("gridAngle") ?? 0
    grid.shiftsOddRows = json.flag("shiftOddRows") ?? false
    grid.offsetX = reader.pixels(json.number("offsetX") ?? 0)
    grid.offsetY = reader.pixels(json.number("offsetY") ?? 0)
    if json.text("gridType") == "Random" {
      grid.scatter = min(max((json.number("randomness") ?? 100) / 100, 0), 1)
      grid.seed = json.number("seed").flatMap { UInt64(exactly: $0.rounded()) } ?? 0
    }
    let clipping = json.text("clipping") ?? "ClipAtBoundary"
    grid.edge = clipping == "ClipAtBoundary" ? .cut : .center
    return grid
  }
}
