internal import PortolanJSON

/// Reads the vertices of one shape from Esri JSON.
struct EsriJSONReader {
  /// Whether the shape, or else the feature set around it, declares heights and measures.
  let hasZ: Bool?
  let hasM: Bool?

  init(_ value: JSONValue, hasZ: Bool?, hasM: Bool?) {
    self.hasZ = value["hasZ"]?.bool ?? hasZ
    self.hasM = value["hasM"]?.bool ?? hasM
  }

  func point(_ value: JSONValue) throws(GeometryError) -> Point {
    guard let x = EsriJSONNumber.read(value["x"]) else {
      throw .malformed(.esriJSON, place: "x", reason: "a number is missing")
    }
    // A point without an x is empty; writers then leave out the rest.
    guard let y = EsriJSONNumber.read(value["y"]) ?? (x.isNaN ? x : nil) else {
      throw .malformed(.esriJSON, place: "y", reason: "a number is missing")
    }
    guard !x.isNaN, !y.isNaN else { return Point(x: .nan, y: .nan) }
    return Point(x: x, y: y, z: ordinate(value["z"]), m: ordinate(value["m"]))
  }

  func paths(_ member: String, of value: JSONValue) throws(GeometryError) -> [Path] {
    guard let elements = value[member]?.array else {
      throw .malformed(.esriJSON, place: member, reason: "a list is missing")
    }
    try checkCurves(in: elements)
    var paths: [Path] = []
    paths.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      paths.append(try path(element, place: "\(member)[\(index)]"))
    }
    return paths
  }

  /// A curve is much longer as straight lines than it is in the document.
  private func checkCurves(in paths: [JSONValue]) throws(GeometryError) {
    let limit = 20_000
    let count = paths.reduce(0) { sum, path in
      sum + (path.array?.count { $0.object != nil } ?? 0)
    }
    guard count <= limit else {
      throw .unsupported(.esriJSON, feature: "a shape of \(count) curves, more than \(limit)")
    }
  }

  func path(_ value: JSONValue, place: String) throws(GeometryError) -> Path {
    guard let vertices = value.array else {
      throw .malformed(.esriJSON, place: place, reason: "a list is missing")
    }
    var builder = PathBuilder(
      .esriJSON, layout: layout(of: vertices), capacity: vertices.count)
    for (index, vertex) in vertices.enumerated() {
      let isVertex =
        switch vertex {
        case .array(let ordinates): builder.append(ordinates)
        case .object(let curve): builder.append(curve)
        default: false
        }
      guard isVertex else {
        throw .malformed(
          .esriJSON, place: "\(place)[\(index)]",
          reason: "a vertex is neither a list of numbers nor a curve")
      }
    }
    return builder.path
  }

  private func ordinate(_ value: JSONValue?) -> Double? {
    EsriJSONNumber.read(value).flatMap { $0.isNaN ? nil : $0 }
  }

  /// Flags are left out by many writers; a third ordinate then is the height.
  private func layout(of vertices: [JSONValue]) -> PathBuilder.Layout {
    if let hasZ, let hasM { return PathBuilder.Layout(hasZ: hasZ, hasM: hasM) }
    let count = vertices.reduce(0) { max($0, $1.array?.count ?? 0) }
    let hasHeights = hasZ ?? (hasM == true ? count > 3 : count > 2)
    return PathBuilder.Layout(hasZ: hasHeights, hasM: hasM ?? (hasHeights && count > 3))
  }
}
