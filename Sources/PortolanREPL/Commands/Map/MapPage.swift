internal import PortolanApp
internal import PortolanGeometry
internal import PortolanJSON

/// The open map as text and as JSON: where it is, at which scale, and what cannot be used.
struct MapPage {
  let state: MapModel.State

  var text: TextDocument {
    let frame = state.frame
    var fields = [
      TextDocument.Field("scale", "1:\(Self.rounded(frame.scale))"),
      TextDocument.Field("rotation", "\(Self.rounded(frame.rotation))°"),
      TextDocument.Field(
        "size", "\(Self.rounded(frame.width)) x \(Self.rounded(frame.height)) points"),
    ]
    if let center = frame.centerInDegrees {
      fields.insert(.init("center", Self.text(center)), at: 0)
    }
    if let extent = frame.visibleExtentInDegrees {
      let corners = [
        Coordinate(x: extent.xMin, y: extent.yMin), Coordinate(x: extent.xMax, y: extent.yMax),
      ]
      fields.append(.init("extent", corners.map(Self.text).joined(separator: " to ")))
    }
    return TextDocument([.heading(state.title), .fields(fields)] + problemBlocks)
  }

  var json: JSONValue { state.json }

  /// The layers that cannot be used, a line each.
  var problemBlocks: [TextDocument.Block] {
    state.problems.sorted { $0.key < $1.key }.map {
      .paragraph(
        "\(state.problemTitles[$0.key] ?? $0.key): "
          + NextAction.Kind.retryLayer.naming(commandIn: $0.value), indent: 0)
    }
  }

  private static func rounded(_ value: Double) -> String {
    // Scales and angles from files may be absurd; such are shown as they are.
    Int(exactly: value.rounded()).map { "\($0)" } ?? "\(value)"
  }

  /// Longitude and latitude with five decimals, about a metre.
  static func text(_ coordinate: Coordinate) -> String {
    [coordinate.x, coordinate.y].map(decimals).joined(separator: ",")
  }

  private static func decimals(_ value: Double) -> String {
    let rounded = (value * 100_000).rounded() / 100_000
    return "\(rounded)"
  }
}
