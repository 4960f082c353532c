public import Foundation

/// The reason why a shape or a spatial reference could not be read, written or worked with.
public enum GeometryError: Error, Hashable, Sendable {
  /// A text or binary form of a shape.
  public enum Format: String, Hashable, Sendable {
    case esriJSON = "Esri JSON"
    case geoJSON = "GeoJSON"
    case wellKnownBinary = "well-known binary"
    case wellKnownText = "well-known text"
    case pbf = "PBF"
  }

  /// The document is not what its format says; `place` is a member path or a byte offset.
  case malformed(Format, place: String, reason: String)
  /// The document is sound, but has something that a ``Geometry`` cannot hold.
  case unsupported(Format, feature: String)
  /// No definition is known for the reference.
  case unknownSpatialReference(String, reason: String)
  /// There is no transformation from one reference to the other.
  case noTransformation(from: String, to: String, reason: String)
  /// A position has no counterpart in the other reference.
  case outsideProjection(Coordinate)
  /// The shape cannot be worked with: a coordinate is no number, or a ring is not closed.
  case invalidGeometry(reason: String)
  /// An operation gave no result.
  case operationFailed(operation: String, reason: String)
}

extension GeometryError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .malformed(let format, let place, let reason):
      "The \(format.rawValue) is damaged, at \(place): \(reason)."
    case .unsupported(let format, let feature):
      "The \(format.rawValue) holds \(feature), which is not supported."
    case .unknownSpatialReference(let name, let reason):
      "The spatial reference \(name) is not known: \(reason)."
    case .noTransformation(let source, let target, let reason):
      """
      Coordinates cannot be projected from the spatial reference \(source) to the spatial \
      reference \(target): \(reason).
      """
    case .outsideProjection(let coordinate):
      "The position \(coordinate.x),\(coordinate.y) does not exist in the other reference."
    case .invalidGeometry(let reason): "The shape cannot be used: \(reason)."
    case .operationFailed(let operation, let reason): "The \(operation) failed: \(reason)."
    }
  }

  public var recoverySuggestion: String? {
    switch self {
    case .malformed: "Copy or download the data again."
    case .unsupported: "Ask the data's owner for it in a simpler form."
    case .unknownSpatialReference: "Check the well-known id or text of the data."
    case .noTransformation:
      "Use another spatial reference, or keep the coordinates as they are."
    case .outsideProjection: "Choose a position inside the area that the reference is made for."
    case .invalidGeometry: "Repair the shape where it was drawn."
    case .operationFailed: "Repair or simplify the shapes, then try again."
    }
  }
}
