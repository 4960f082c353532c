internal import Foundation
package import PortolanGeometry

/// Why a shape cannot be read from its column, or written into it.
package enum StoredShapeError: Error, Hashable {
  case damaged(reason: String)
  case unsupported(feature: String)
}

extension StoredShapeError: LocalizedError {
  package var errorDescription: String? {
    switch self {
    case .damaged(let reason): reason
    case .unsupported(let feature): "\(feature) is not supported"
    }
  }
}

extension StoredShapeError {
  init(_ error: GeometryBlobError) {
    self = .damaged(reason: error.errorDescription ?? "a shape that cannot be read")
  }

  package init(_ error: GeometryError) {
    self =
      switch error {
      case .unsupported(_, let feature): .unsupported(feature: feature)
      case .malformed(_, let place, let reason):
        .damaged(reason: "the shape is damaged, at \(place): \(reason)")
      default: .damaged(reason: error.errorDescription ?? "a shape that cannot be read")
      }
  }
}
