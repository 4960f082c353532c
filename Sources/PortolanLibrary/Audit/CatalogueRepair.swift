public import Foundation
public import PortolanFiles
internal import PortolanSQLite

/// Finds out whether the catalogue of a home is damaged, and makes a new one.
public struct CatalogueRepair: Sendable {
  /// What the names of its files end with, the file itself last.
  private static let companions = StoredFile.journalSuffixes + [""]

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
    guard FileStatus(layout.rebuiltCatalogue) == nil else {
      return CatalogueDamage(
        file: layout.catalogue, reason: CatalogueDamage.interruptedRepair)
    }
    guard DurableMove.exists(layout.catalogue) else { return nil }
    do throws(DatabaseError) {
      let connection = try Connection(at: layout.catalogue, access: .readOnly)
      if let fault = try connection.quickCheck(limit: 1).first {
        // Which of its databases it means is of no interest here.
        return CatalogueDamage(
          file: layout.catalogue, reason: fault.replacing("*** in database main ***\n", with: ""))
      }
      return try StorageSchema.fault(in: connection, holdsMaps: layout.holdsMaps).map {
        CatalogueDamage(file: layout.catalogue, reason: $0)
      }
    } catch {
      // Whatever else is in the way says so when the catalogue is opened.
      guard error.code == .corrupt || error.code == .notADatabase else { return nil }
      return CatalogueDamage(file: layout.catalogue, reason: error.message)
    }
  }

  /// Puts a damaged catalogue aside and makes a new one of what can still be read in it.
  ///
  /// The new one is on the disk as a whole before anything of the old one moves; a repair that was
  /// interrupted after that is finished. Maps that it no longer knows are then found by
  /// ``LibraryAudit``, and put on the list again.
  ///
  /// - Returns: Where the damaged one is; `nil` if there was none.
  /// - Throws: ``LibraryError``; then the damaged one is where it was, or is still called damaged.
  public func rebuild() async throws(LibraryError) -> URL? {
    let lock = try await HomeLock(layout, clock: clock, in: files)
    defer { lock.release() }
    guard await damage() != nil else { return nil }
    do {
      let isBegun = DurableMove.exists(layout.rebuiltCatalogue)
      // What an interrupted repair has put aside is not open anywhere.
      let writers = try isBegun ? nil : lockOutWriters()
      defer { withExtendedLifetime(writers) {} }
      if !isBegun {
        do { try await makeCatalogue() } catch {
          // On a full disk no map could be deleted before there is a catalogue again.
          guard Self.isAboutRoom(error), layout.reserve.release() else { throw error }
          try await makeCatalogue()
        }
      }
      let aside = isBegun ? interruptedName() ?? freeName() : freeName()
      // The journal goes first: beside a new catalogue it would be taken for that one's.
      for suffix in Self.companions {
        let old = Self.companion(suffix, of: layout.catalogue)
        guard DurableMove.exists(old) else { continue }
        try files.move(old, to: Self.companion(suffix, of: aside))
      }
      try files.move(layout.rebuiltCatalogue, to: layout.catalogue)
      return aside
    } catch let error as FileError {
      throw LibraryError(error)
    } catch {
      throw LibraryError(error, file: layout.catalogue)
    }
  }

  /// Keeps all processes from writing to the damaged catalogue; `nil` where it cannot be locked,
  /// nor written.
  ///
  /// - Throws: `DatabaseError` while another process writes to it.
  private func lockOutWriters() throws(DatabaseError) -> CatalogueWritersLock? {
    // Nothing is written to an empty one, beside which SQLite would begin a journal.
    guard FileStatus(layout.catalogue)?.byteCount ?? 0 > 0 else { return nil }
    do throws(DatabaseError) { return try CatalogueWritersLock(on: layout.catalogue) } catch {
      guard error.code == .busy || error.code == .locked else { return nil }
      throw error
    }
  }

  /// Makes a catalogue of what can still be read, and gives it the name by which it counts.
  @concurrent private func makeCatalogue() async throws {
    let draft = layout.catalogueDraft
    for suffix in Self.companions { try files.erase(Self.companion(suffix, of: draft)) }
    try await SalvagedCatalogue.copy(layout.catalogue, to: draft)
    try files.sync(draft)
    try files.move(draft, to: layout.rebuiltCatalogue)
  }

  /// Whether more room might help; that there is none for its index SQLite calls a failure of the disk.
  private static func isAboutRoom(_ error: any Error) -> Bool {
    switch error {
    case let error as DatabaseError: error.code == .full || error.code == .inputOutput
    case LibraryError.diskFull, FileError.diskFull: true
    default: false
    }
  }

  private static func companion(_ suffix: String, of file: URL) -> URL {
    URL(filePath: DurableMove.plainPath(file) + suffix)
  }

  private func damagedName(_ number: Int) -> URL {
    layout.home.appending(path: "library-damaged-\(number).sqlite")
  }

  private func freeName() -> URL {
    var number = 1
    while Self.companions.contains(where: {
      DurableMove.exists(Self.companion($0, of: damagedName(number)))
    }) { number += 1 }
    return damagedName(number)
  }

  /// The name under which the journals of the damaged catalogue are already; the file itself goes last.
  private func interruptedName() -> URL? {
    var number = 1
    while DurableMove.exists(damagedName(number)) { number += 1 }
    let name = damagedName(number)
    return name == freeName() ? nil : name
  }
}
