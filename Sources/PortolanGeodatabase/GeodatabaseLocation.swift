package import Foundation
internal import PortolanFeatures
internal import PortolanFiles
package import PortolanSQLite

/// The location of a geodatabase or GeoPackage: a file, or a run of bytes inside one.
package enum GeodatabaseLocation: Hashable, Sendable {
  case file(URL)
  case region(FileRegion)

  /// The path for messages.
  var name: String {
    switch self {
    case .file(let url): url.path(percentEncoded: false)
    case .region(let region): region.url.path(percentEncoded: false)
    }
  }

  /// Opens a connection.
  ///
  /// - Parameter access: What for; `nil` for reading as suits the file.
  /// - Returns: The connection.
  /// - Throws: ``FeatureStoreError`` if the file cannot be opened, or is no database.
  func connect(for access: Database.Access? = nil) throws(FeatureStoreError) -> Connection {
    do {
      let connection =
        switch self {
        case .file(let url): try Connection(at: url, access: access ?? .readOnly)
        case .region(let region): try Connection(at: region)
        }
      try connection.execute("PRAGMA cache_size = \(-Self.cacheKibibytes)")
      return connection
    } catch {
      throw failure(error, in: "its header")
    }
  }

  /// Enough for the upper levels of a spatial index of millions of shapes, and for what lies
  /// around a few screens.
  static let cacheKibibytes = 8 << 10

  /// The error that a failed SQLite call means for a caller of this module.
  func failure(_ error: DatabaseError, in place: String) -> FeatureStoreError {
    switch error.code {
    case .interrupted: .cancelled
    case .busy, .locked: .busy(file: name, holder: error.holder?.description)
    case .cannotOpen, .inputOutput, .full, .readOnly:
      .unreadable(file: name, reason: error.message)
    case .notADatabase: .damaged(file: name, place: place, reason: "it is no SQLite file")
    default: .damaged(file: name, place: place, reason: error.message)
    }
  }

  /// The error of a step along the rows of a table or view.
  ///
  /// What SQLite cannot compute, as when a view takes text for JSON, is no damage.
  func failure(_ error: DatabaseError, inRowsOf table: String) -> FeatureStoreError {
    guard error.code == .sql else { return failure(error, in: "the rows of \(table)") }
    return .unsupported(
      file: name, feature: "an expression in \(table) that cannot be computed (\(error.message))")
  }

  /// The error of a part that is not as it should be.
  func damaged(_ place: String, _ reason: String) -> FeatureStoreError {
    .damaged(file: name, place: place, reason: reason)
  }
}
