public import Foundation
public import PortolanFiles
internal import PortolanSQLite

/// Finds out whether the catalogue of a home is damaged, and makes a new one.
public struct CatalogueRepair: Sendable {
  private static let companions = ["-wal", "-shm", ""]

  private let layout: HomeLayout
  private let clock: any Clock<Duration>
  private let files: FileSystem

  /// Creates a repair; nothing is looked at yet.
  public init(
    _ layout: HomeLayout, clock: any Clock<Duration> = ContinuousClock(),
    files: FileSystem = .live
  ) {
    self.layout = layout
    self.clock = clock
    self.files = files
  }

  /// What is wrong with the catalogue; `nil` if nothing is, or if there is none.
  ///
  /// One that a newer Portolan has written is not damaged, nor is one that may not be read.
  @concurrent public func damage() async -> CatalogueDamage? {
    guard DurableMove.exists(layout.catalogue) else { return nil }
    do throws(DatabaseError) {
      let connection = try Connection(at: layout.catalogue, access: .readOnly)
      let check = try connection.query("PRAGMA quick_check(1)")
      guard try check.step() else { return nil }
      let fault =
        check.text(at: 0) == "ok"
        ? try StorageSchema.fault(in: connection, holdsMaps: layout.holdsMaps)
        : check.text(at: 0)
      return fault.map { CatalogueDamage(file: layout.catalogue, reason: $0) }
    } catch {
      // Whatever else is in the way says so when the catalogue is opened.
      guard error.code == .corrupt || error.code == .notADatabase else { return nil }
      return CatalogueDamage(file: layout.catalogue, reason: error.message)
    }
  }

  /// Puts a damaged catalogue aside and makes a new one of what can still be read in it.
  ///
  /// Maps that it no longer knows are then found by ``LibraryAudit``, and put on the list again.
  ///
  /// - Returns: Where the damaged one is; `nil` if there was none.
  /// - Throws: ``LibraryError``; then the damaged one is where it was, or put aside.
  public func rebuild() async throws(LibraryError) -> URL? {
    let lock = try await HomeLock(layout, clock: clock, in: files)
    defer { lock.release() }
    guard let damage = await damage() else { return nil }
    let rest = await SalvagedCatalogue(of: damage.file)
    let aside = freeName()
    // The journal goes first: beside a new catalogue it would be taken for that one's.
    for suffix in Self.companions {
      let old = URL(filePath: DurableMove.plainPath(layout.catalogue) + suffix)
      guard DurableMove.exists(old) else { continue }
      let new = URL(filePath: DurableMove.plainPath(aside) + suffix)
      do { try files.move(old, to: new) } catch { throw LibraryError(error) }
    }
    try await rest.save(in: try await SQLiteMapStorage.open(at: layout.catalogue))
    return aside
  }

  private func freeName() -> URL {
    for number in 1... {
      let name = layout.home.appending(path: "library-damaged-\(number).sqlite")
      if Self.companions.allSatisfy({
        !DurableMove.exists(URL(filePath: DurableMove.plainPath(name) + $0))
      }) {
        return name
      }
    }
    return layout.home
  }
}
