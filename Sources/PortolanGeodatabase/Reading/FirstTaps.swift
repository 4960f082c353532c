internal import Foundation
internal import PortolanGeometry
internal import PortolanSQLite

/// Answers the first taps on a geodatabase, so that nobody waits for SQLite to open it.
///
/// After a few SQLite is faster, with statements that stay compiled.
final class FirstTaps {
  private var pages: DatabasePages?
  private var tables: [String: DirectTap] = [:]
  private var left = 8

  /// What the header of a geodatabase says ("Docs/FORMATS.md, 2.1").
  private static let applicationID: UInt32 = 0x4573_7269

  /// Reads the schema of a file; `nil` for one that is left to SQLite.
  init?(_ url: URL) {
    // Whatever is the matter, SQLite reads it or says so.
    guard let pages = try? DatabasePages(at: url), pages.applicationID == Self.applicationID else {
      return nil
    }
    self.pages = pages
  }

  /// The object ids of the shapes near a place; `nil` if SQLite has to find them.
  func objectIDs(
    in table: String, touching place: Coordinate, within tolerance: Double, limit: Int
  ) -> [Int64]? {
    guard let pages, left > 0 else {
      end()
      return nil
    }
    left -= 1
    do {
      let known = tables[table]
      let tap = if let known { known } else { try DirectTap(table, pages) }
      tables[table] = tap
      return try tap.objectIDs(touching: place, within: tolerance, limit: limit)
    } catch {
      // What is wrong, SQLite says.
      end()
      return nil
    }
  }

  /// Closes the file and lets go of its pages.
  private func end() {
    pages = nil
    tables = [:]
  }
}
