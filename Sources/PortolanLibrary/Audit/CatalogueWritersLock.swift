internal import Foundation
internal import PortolanSQLite

/// Keeps all processes from writing to a damaged catalogue for as long as the value lives: what
/// they wrote would be lost once the new one has been made of it.
final class CatalogueWritersLock {
  private let connection: Connection

  /// Takes the lock.
  init(on catalogue: URL) throws(DatabaseError) {
    connection = try Connection(at: catalogue, access: .readWrite)
    try connection.execute("BEGIN IMMEDIATE")
  }
}
