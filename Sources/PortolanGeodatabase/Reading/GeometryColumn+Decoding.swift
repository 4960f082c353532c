internal import Foundation
internal import PortolanFeatures
package import PortolanGeometry

extension GeometryColumn {
  /// The shape that a value of the column holds; `nil` if it holds none.
  package func geometry(of bytes: UnsafeRawBufferPointer) throws(StoredShapeError) -> Geometry? {
    guard unsafe !bytes.isEmpty else { return nil }
    return try unsafe format.geometry(of: bytes, in: self)
  }

  /// The box around the shape that a value of the column holds; `nil` if it holds none.
  func extent(of bytes: UnsafeRawBufferPointer) throws(StoredShapeError) -> Envelope? {
    guard unsafe !bytes.isEmpty else { return nil }
    return try unsafe format.extent(of: bytes, in: self)
  }
}

extension GeodatabaseLocation {
  /// The error of a shape that cannot be read.
  func failure(
    _ error: StoredShapeError, inRow row: Int64, of table: String
  ) -> FeatureStoreError {
    let reason = error.errorDescription ?? "it cannot be understood"
    var isDamaged = false
    if case .damaged = error { isDamaged = true }
    return .unreadableRow(
      UnreadableRow(
        file: name, table: table, objectID: row, reason: reason, isDamaged: isDamaged))
  }
}
