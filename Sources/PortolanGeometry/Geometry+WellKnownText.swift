internal import PortolanJSON

extension Geometry {
  /// The shape as well-known text (OGC 06-103r4, 7), such as `LINESTRING (1 2, 3 4)`.
  ///
  /// Coordinates are written as they are, to the last bit. Heights are kept, measures are not; a box
  /// becomes a polygon, and several paths or areas the multi-part kind.
  public func wellKnownText() -> String {
    let value = geoJSON()
    let type = value["type"]?.string?.uppercased() ?? ""
    guard let coordinates = value["coordinates"], coordinates.array?.isEmpty == false else {
      return "\(type) EMPTY"
    }
    if type == "POINT" {
      let hasHeight = (coordinates.array?.count ?? 0) > 2
      return "POINT \(hasHeight ? "Z " : "")(\(Self.position(coordinates)))"
    }
    return type + (Self.hasHeight(coordinates) ? " Z " : " ") + Self.nested(coordinates)
  }

  /// Reads well-known text, in any letters; a number of a reference before it (`SRID=4326;`) is left
  /// out, as measures are.
  ///
  /// Arcs of circles become straight lines of at most 2° of them.
  ///
  /// - Throws: ``GeometryError/malformed(_:place:reason:)``,
  ///   ``GeometryError/unsupported(_:feature:)`` for collections and surfaces of triangles.
  public init(wellKnownText text: some StringProtocol) throws(GeometryError) {
    var reader = WellKnownTextReader(text)
    self = try reader.geometry()
  }

  private static func hasHeight(_ value: JSONValue) -> Bool {
    guard let first = value.array?.first else { return false }
    return first.array == nil ? (value.array?.count ?? 0) > 2 : hasHeight(first)
  }

  private static func nested(_ value: JSONValue) -> String {
    let parts = value.array ?? []
    let texts = parts.map { part in
      part.array?.first?.array == nil ? position(part) : nested(part)
    }
    return "(" + texts.joined(separator: ", ") + ")"
  }

  private static func position(_ value: JSONValue) -> String {
    (value.array ?? []).map { $0.text() }.joined(separator: " ")
  }
}
