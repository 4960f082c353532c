internal import Foundation
internal import PortolanSQLite
internal import Synchronization

/// The SQL functions that defaults, indexes and views of Esri's files call, for connections that
/// edit.
///
/// Edits write the rows of every table on their own, with triggers and views off, so they need
/// none of it. But a default in a table and the collation of an index belong to the file, and a
/// statement that meets them must work.
///
/// - SeeAlso: Docs/FORMATS.md, 2.1
final class EsriFunctions: Sendable {
  private let moment = Mutex(JulianDay.unixEpoch)

  /// Says when the transaction is that begins, as a Julian day.
  func begin(at day: Double) { moment.withLock { $0 = day } }

  /// Makes the functions and the collation known to a connection.
  func register(on connection: borrowing Connection) throws(DatabaseError) {
    for name in ["gdb_transaction_time", "gdb_undo_start_moment"] {
      try connection.register(function: name, argumentCount: 0, traits: .innocuous) { [self] _ in
        .real(moment.withLock(\.self))
      }
    }
    try connection.register(collation: "ICUFOLDCASE") { left, right in
      let (left, right) = (left.lowercased(), right.lowercased())
      return left == right ? .orderedSame : left < right ? .orderedAscending : .orderedDescending
    }
  }
}
