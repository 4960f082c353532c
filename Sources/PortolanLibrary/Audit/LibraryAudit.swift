public import Foundation
internal import PortolanFiles
internal import PortolanJobs
internal import Synchronization

/// Compares what is recorded with what is there, and repairs what is not as it should be.
public struct LibraryAudit: Sendable {
  /// Opens a map as people would, and returns its title; throws the error that they would see, and
  /// ``LibraryError/unreadable(file:reason:)`` or ``LibraryError/beingWritten(file:by:)`` for what keeps it
  /// from being opened now and is no damage: that is never repaired.
  public typealias Check = @Sendable (URL) async throws -> String
  /// What the files of a map say about it; `nil` if they do not say where it came from.
  public typealias Describe = @Sendable (URL) async -> MapDescription?

  /// What of a map cannot be read though its files are as they were stored, a sentence each.
  public typealias Lack = @Sendable (URL) async -> [String]

  let library: MapLibrary
  let check: Check
  let lack: Lack
  let now: @Sendable () -> Date
  let makeID: @Sendable () -> MapID
  let describe: Describe

  /// Creates an audit.
  ///
  /// - Parameters:
  ///   - library: The library.
  ///   - check: Opens a map, to see whether it can be.
  ///   - now: Returns the date.
  ///   - makeID: Makes ids for maps that are found.
  ///   - lack: Returns what of an imported map cannot be read.
  ///   - describe: Returns what the files of maps that are found say about them.
  public init(
    _ library: MapLibrary, check: @escaping Check, now: @escaping @Sendable () -> Date,
    makeID: @escaping @Sendable () -> MapID, lack: @escaping Lack = { _ in [] },
    describe: @escaping Describe = { _ in nil }
  ) {
    self.library = library
    self.check = check
    self.lack = lack
    self.now = now
    self.makeID = makeID
    self.describe = describe
  }

  /// Everything that is not as it should be; empty when all is sound.
  ///
  /// Changes nothing but what is noted for lists of maps; a deep look records the digests of files that have
  /// none, of maps that an older Portolan has stored.
  ///
  /// - Parameters:
  ///   - depth: How closely to look.
  ///   - report: Called while files are read.
  /// - Returns: The findings.
  /// - Throws: ``LibraryError`` if the catalogue cannot be read, was deleted, or the task is cancelled.
  @concurrent public func findings(
    _ depth: AuditDepth = .quick, report: @escaping @Sendable (AuditProgress) -> Void = { _ in }
  ) async throws(LibraryError) -> [LibraryFinding] {
    try await library.storage.requireCatalogue()
    let records = try await library.storage.storedMaps()
    let installing = try await library.storage.installations().map(\.map)
    let settled = records.filter { map in !installing.contains { $0.id == map.id } }
    var findings = installing.map { LibraryFinding.halfInstalled(map: $0) }
    let total = settled.reduce(0) { $0 + ($1.deleted == nil ? $1.byteCount : 0) }
    let counter = ByteCounter()
    for map in settled {
      let examination = MapExamination(
        library: library, check: check, lack: lack, depth: depth
      ) { count in
        report(
          AuditProgress(
            title: map.title, byteCount: counter.add(count), totalByteCount: total))
      }
      let (finding, found) = try await examination.examine(map)
      let faults = try await byDepth(found, of: map, at: depth)
      await library.noteDamage(finding, faults, of: map, at: depth)
      if let finding {
        findings.append(finding)
      } else if depth == .deep, map.deleted == nil {
        try await library.completeDigests(of: map, examination.progress)
      }
    }
    return findings + (try await others())
  }

  /// Tells apart which of the faults that were found a quick audit sees as well.
  private func byDepth(
    _ faults: [String], of map: StoredMap, at depth: AuditDepth
  ) async throws(LibraryError) -> FaultsByDepth {
    guard depth == .deep, !faults.isEmpty else { return FaultsByDepth(quick: faults) }
    let examination = MapExamination(library: library, check: check, depth: .quick)
    let quick = try await examination.examine(map).faults
    return FaultsByDepth(
      quick: faults.filter(quick.contains), deep: faults.filter { !quick.contains($0) })
  }

  // MARK: - What no record is about

  /// What is in the home and belongs to no record.
  func others() async throws(LibraryError) -> [LibraryFinding] {
    let records = try await library.storage.storedMaps()
    let installing = try await library.storage.installations().map(\.map)
    let unreadable = try await library.storage.unreadableRecords()
    // What records that cannot be read are about is known, only not to this Portolan.
    let spared = Set(unreadable.compactMap { $0.split(separator: " ").last.map(String.init) })
    let found =
      try await unrecorded(.folder, records + installing)
      + unrecorded(.file, records + installing) + abandoned() + trash(records)
    return found.filter { spared.isDisjoint(with: $0.names) }
      + unreadable.map(LibraryFinding.unreadableRecord)
  }

  private func unrecorded(
    _ form: StoredMap.Form, _ records: [StoredMap]
  ) async throws(LibraryError) -> [LibraryFinding] {
    let byID = Dictionary(grouping: records, by: \.id.text)
    var findings: [LibraryFinding] = []
    for url in try list(form == .folder ? .maps : .packages) {
      let name = url.deletingPathExtension().lastPathComponent
      let known = byID[name] ?? []
      let isContainer: Bool
      do throws(LibraryError) { isContainer = try self.isContainer(url, known, form) } catch {
        guard case .unreadable(_, let reason) = error else { throw error }
        // What is in it is not known now; a map that is recorded is looked at for itself.
        if known.isEmpty {
          findings.append(.unreadable(map: await record(of: url, name), reason: "\(reason)."))
        }
        continue
      }
      if isContainer {
        findings += try await versions(in: url, known)
      } else if known.contains(where: { $0.version == 0 && $0.form == form && $0.deleted == nil }) {
        continue
      } else if !known.isEmpty {
        findings.append(.foreign(url, reason: "the map of that name is stored elsewhere."))
      } else {
        findings.append(try await finding(onStray: url))
      }
    }
    return findings
  }

  /// Whether a folder is that of the versions of a map.
  ///
  /// The mark in the folder is hidden, which some copies leave out: a record is as good.
  ///
  /// - Throws: ``LibraryError/unreadable(file:reason:)`` where that is not known.
  private func isContainer(
    _ url: URL, _ known: [StoredMap], _ form: StoredMap.Form
  ) throws(LibraryError) -> Bool {
    let isRecorded = known.contains { map in
      map.version > 0 && map.form == form && url.lastPathComponent == map.id.text
    }
    if isRecorded { return true }
    return try library.layout.holdsVersions(url, in: library.files)
  }

  /// What is in a folder of versions and not recorded.
  private func versions(
    in container: URL, _ known: [StoredMap]
  ) async throws(LibraryError) -> [LibraryFinding] {
    let found = try library.layout.versions(in: container, in: library.files)
    guard let map = known.first else {
      // The others are found once the current one is recorded.
      guard
        let current = library.layout.likelyCurrent(
          among: found, of: container.lastPathComponent, in: library.files)
      else {
        return [.foreign(container, reason: "it holds no version of a map.")]
      }
      return [try await finding(onStray: current)]
    }
    guard map.version > 0 else { return [] }
    guard map.deleted == nil || library.layout.isStray(container, of: map, in: library.files) else {
      return []
    }
    let recorded = Set(
      try await library.storage.versions(of: map.id).map(\.number) + known.map(\.version))
    return found.filter { !recorded.contains($0.number) }.map { .unknownVersion($0.url, map: map) }
  }

  private func finding(onStray url: URL) async throws(LibraryError) -> LibraryFinding {
    do {
      return .unrecorded(url, title: try await check(url))
    } catch {
      if let reason = (error as? LibraryError)?.whyUnreadable {
        // That it cannot be opened now says nothing of what it is.
        let container = url.deletingLastPathComponent()
        let named = library.layout.isContainer(container) ? container : url
        let name = named.deletingPathExtension().lastPathComponent
        return .unreadable(map: await record(of: url, name), reason: reason)
      }
      guard !(error is CancellationError) else { throw .cancelled }
      return .foreign(url, reason: Self.sentence(error))
    }
  }

  private func abandoned() async throws(LibraryError) -> [LibraryFinding] {
    // Before the jobs are read: one that begins meanwhile is recorded before it makes its folder.
    let staged = try list(.staging)
    let jobs: [Job]
    do { jobs = try await library.storage.jobs() } catch {
      throw .catalogue(
        file: library.layout.catalogue.path(percentEncoded: false),
        reason: error.errorDescription ?? "its jobs cannot be read")
    }
    let alive = Set(jobs.filter { $0.state.canContinue }.map(\.id.text))
    return
      staged
      .filter { !alive.contains($0.lastPathComponent) && !library.isHeld(staged: $0) }
      .map(LibraryFinding.abandoned)
  }

  private func trash(_ records: [StoredMap]) throws(LibraryError) -> [LibraryFinding] {
    let deleted = records.filter {
      // Files of a map that is not in its place are being restored.
      $0.deleted != nil || !library.files.exists(library.layout.place(of: $0))
    }
    let known = Set(
      deleted.flatMap { library.layout.trashMoves(of: $0) }.map(\.trash.lastPathComponent))
    return try list(.trash).filter { !known.contains($0.lastPathComponent) }
      .map { library.layout.isCondemned($0) ? .halfRemoved($0) : .unknownTrash($0) }
  }

  /// What lies in a folder of the home.
  ///
  /// - Throws: ``LibraryError/unreadable(file:reason:)``; what is not known is never taken for empty.
  private func list(_ folder: HomeLayout.Folder) throws(LibraryError) -> [URL] {
    try library.layout.list(library.layout.folder(folder), in: library.files)
  }

  static func sentence(_ error: any Error) -> String {
    (error as? any LocalizedError)?.errorDescription ?? error.localizedDescription
  }
}

/// Adds up the bytes that were read.
private final class ByteCounter: Sendable {
  private let count = Mutex(0)

  func add(_ bytes: Int) -> Int {
    count.withLock {
      $0 += bytes
      return $0
    }
  }
}

extension JobState {
  /// Whether what the job has left on disk may still be of use to it.
  fileprivate var canContinue: Bool {
    switch self {
    case .cancelled, .succeeded: false
    case .waiting, .running, .paused, .cancelling, .succeededInPart, .failed: true
    }
  }
}
