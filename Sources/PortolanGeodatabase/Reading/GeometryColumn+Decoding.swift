internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry

/// Why a shape cannot be read from its column, or written into it.
enum StoredShapeError: Error, Hashable {
  case damaged(reason: String)
  case unsupported(feature: String)
}

extension StoredShapeError: LocalizedError {
  var errorDescription: String? {
    switch self {
    case .damaged(let reason): reason
    case .unsupported(let feature): "\(feature) is not supported"
    }
  }
}

extension GeometryColumn {
  /// The shape that a value of the column holds; `nil` if it holds none.
  func geometry(of bytes: UnsafeRawBufferPointer) throws(StoredShapeError) -> Geometry? {
    guard unsafe !bytes.isEmpty else { return nil }
    switch format {
    case .geodatabase:
      guard let precision else {
        throw .damaged(reason: "nothing says how the coordinates of the table are stored")
      }
      do { return try unsafe GeometryBlob.decode(bytes, precision: precision).geometry } catch {
        throw StoredShapeError(error)
      }
    case .geoPackage: return try unsafe GeoPackageBinary.geometry(of: bytes)
    }
  }

  /// The box around the shape that a value of the column holds; `nil` if it holds none.
  func extent(of bytes: UnsafeRawBufferPointer) throws(StoredShapeError) -> Envelope? {
    guard unsafe !bytes.isEmpty else { return nil }
    switch format {
    case .geodatabase:
      guard let precision else { return nil }
      do { return try unsafe GeometryBlob.extent(of: bytes, precision: precision) } catch {
        throw StoredShapeError(error)
      }
    case .geoPackage: return try unsafe GeoPackageBinary.extent(of: bytes)
    }
  }
}

extension StoredShapeError {
  init(_ error: GeometryBlobError) {
    self = .damaged(reason: error.errorDescription ?? "a shape that cannot be read")
  }

  init(_ error: GeometryError) {
    self =
      switch error {
      case .unsupported(_, let feature): .unsupported(feature: feature)
      default: .damaged(reason: error.errorDescription ?? "a shape that cannot be read")
      }
  }
}

extension GeodatabaseLocation {
  /// What a shape that cannot be read means to whoever asked for features.
  func failure(
    _ error: StoredShapeError, inRow row: Int64, of table: String
  ) -> FeatureStoreError {
    let reason = error.errorDescription ?? "it cannot be understood"
    return .unreadableRow(
      UnreadableRow(file: name, table: table, objectID: row, reason: reason))
  }
}
