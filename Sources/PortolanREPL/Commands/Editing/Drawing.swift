internal import Foundation
internal import PortolanApp
internal import PortolanGeometry

/// A shape as a command line gives it: positions, or a file that holds it.
struct Drawing: Sendable {
  private let vertices: [Sketch.Vertex]
  private let file: URL?
  private let isNative: Bool
  /// Whether the line says what the positions are, so that they are meant as they are.
  private let isReferenceGiven: Bool

  /// Takes the positions or the file; `nil` if neither is given.
  init?(_ arguments: Arguments) throws(UsageError) {
    isReferenceGiven = arguments.isGiven(EditParameters.coordinates)
    isNative =
      try arguments.value(of: EditParameters.coordinates, as: .choice(["native", "4326"]))
      == "native"
    vertices = try arguments.values(of: EditParameters.vertex, as: .vertex)
    file = try arguments.value(of: EditParameters.shape, as: .file)
    guard vertices.isEmpty || file == nil else {
      throw UsageError("Give positions with --at, or a file with --shape, not both.")
    }
    if !isNative, let bad = vertices.first(where: { abs($0.x) > 360 || abs($0.y) > 90 }) {
      let isSwapped = abs(bad.y) <= 360 && abs(bad.x) <= 90
      throw UsageError(
        "\(bad.x),\(bad.y) is no longitude and latitude.",
        suggestion: isSwapped
          ? "The longitude comes first: \(bad.y),\(bad.x)."
          : "Give degrees, or say --crs native for the layer's own reference.")
    }
    if vertices.isEmpty, file == nil { return nil }
  }

  /// The shape; a file is read now.
  @MainActor func sketch(in session: Session) throws -> Sketch {
    if !isReferenceGiven {
      try session.refuseSwapped(vertices.map { Coordinate(x: $0.x, y: $0.y) })
    }
    if let file, file.isStandardStream {
      return try Sketch(
        reading: session.standardInput(limit: SketchFile.greatestSize), isNative: isNative)
    }
    if let file { return try SketchFile(url: file).sketch(isNative: isNative) }
    return .vertices(vertices, isNative ? .native : .wgs84)
  }
}
