public import Foundation
internal import PortolanJobs

/// Compares what is recorded with what is there, and puts right what is not as it should be.
public struct LibraryAudit: Sendable {
  /// Opens a map as people would, and answers its title; throws what they would be told.
  public typealias Check = @Sendable (URL) async throws -> String
  /// What the files of a map say of it; `nil` if they do not say where it came from.
  public typealias Describe = @Sendable (URL) async -> MapDescription?

  private let library: MapLibrary
  private let check: Check
  private let now: @Sendable () -> Date
  private let makeID: @Sendable () -> MapID
  private let describe: Describe

  /// Creates an audit.
  ///
  /// - Parameters:
  ///   - library: The library.
  ///   - check: Opens a map, to see whether it can be.
  ///   - now: Tells the date.
  ///   - makeID: Makes ids for maps that are found.
  ///   - describe: Tells what the files of maps that are found say of them.
  public init(
    _ library: MapLibrary, check: @escaping Check, now: @escaping @Sendable () -> Date,
    makeID: @escaping @Sendable () -> MapID, describe: @escaping Describe = { _ in nil }
  ) {
    self.library = library
    self.check = check
    self.now = now
    self.makeID = makeID
    self.describe = describe
  }

  // MARK: - Looking

  /// Everything that is not as it should be; empty when all is sound.
  ///
  /// Changes nothing.
  @concurrent public func findings() async throws(LibraryError) -> [LibraryFinding] {
    let records = try await library.storage.storedMaps()
    let installing = try await library.storage.installations().map(\.map)
    var findings = installing.map { LibraryFinding.halfInstalled(map: $0) }
    let settled = records.filter { map in !installing.contains { $0.id == map.id } }
    for map in settled { if let finding = await finding(on: map) { findings.append(finding) } }
    let unreadable = try await library.storage.unreadableRecords()
    // What records that cannot be read are about is known, only not to this Portolan.
    let spared = Set(unreadable.compactMap { $0.split(separator: " ").last.map(String.init) })
    let found =
      try await unrecorded(in: .maps, records + installing)
      + unrecorded(in: .packages, records + installing) + abandoned() + trash(records)
    findings += found.filter { !spared.contains($0.name ?? "") }
    findings += unreadable.map(LibraryFinding.unreadableRecord)
    return findings
  }

  private func finding(on map: StoredMap) async -> LibraryFinding? {
    let place = library.layout.place(of: map)
    guard map.deleted == nil else {
      let isWhole =
        !DurableMove.exists(place) && DurableMove.exists(library.layout.trashPlace(of: map))
      return isWhole ? nil : .halfDeleted(map: map)
    }
    guard DurableMove.exists(place) else { return .filesMissing(map: map) }
    do {
      _ = try await check(place)
      for part in MapParts(of: place).urls {
        try SQLiteFileLength.check(part)
        _ = try await check(part)
      }
      return nil
    } catch {
      return .damaged(map: map, reason: Self.sentence(error))
    }
  }

  private func unrecorded(
    in room: HomeLayout.Room, _ records: [StoredMap]
  ) async -> [LibraryFinding] {
    let known = Set(records.map { library.layout.place(of: $0) }.map(\.lastPathComponent))
    let ids = Set(records.map(\.id.text))
    var findings: [LibraryFinding] = []
    for url in library.layout.contents(of: room) where !known.contains(url.lastPathComponent) {
      let name = url.deletingPathExtension().lastPathComponent
      guard !ids.contains(name) else {
        findings.append(.foreign(url, reason: "the map of that name is stored in another form."))
        continue
      }
      do {
        findings.append(.unrecorded(url, title: try await check(url)))
      } catch {
        findings.append(.foreign(url, reason: Self.sentence(error)))
      }
    }
    return findings
  }

  private func abandoned() async throws(LibraryError) -> [LibraryFinding] {
    let jobs: [Job]
    do { jobs = try await library.storage.jobs() } catch {
      throw .catalogue(
        file: library.layout.catalogue.path(percentEncoded: false),
        reason: error.errorDescription ?? "its jobs cannot be read")
    }
    let alive = Set(jobs.filter { $0.state.mayGoOn }.map(\.id.text))
    return library.layout.contents(of: .staging)
      .filter { !alive.contains($0.lastPathComponent) }.map(LibraryFinding.abandoned)
  }

  private func trash(_ records: [StoredMap]) -> [LibraryFinding] {
    let known = Set(
      records.filter { $0.deleted != nil }.map {
        library.layout.trashPlace(of: $0).lastPathComponent
      }
    )
    return library.layout.contents(of: .trash).filter { !known.contains($0.lastPathComponent) }
      .map { library.layout.isCondemned($0) ? .halfRemoved($0) : .unknownTrash($0) }
  }

  // MARK: - Putting right

  /// Puts right what was found; what has changed meanwhile is left alone.
  ///
  /// - Returns: What could not be put right, with the reason.
  @concurrent public func repair(
    _ findings: [LibraryFinding]
  ) async -> [(finding: LibraryFinding, reason: String)] {
    var failures: [(LibraryFinding, String)] = []
    for finding in findings where finding.repair != nil {
      do { try await repair(finding) } catch { failures.append((finding, Self.sentence(error))) }
    }
    return failures
  }

  private func repair(_ finding: LibraryFinding) async throws(LibraryError) {
    switch finding {
    case .filesMissing(let map):
      guard !DurableMove.exists(library.layout.place(of: map)) else { return }
      try await library.storage.removeStoredMap(map.id)
    case .damaged(let map, _): try await library.delete(map.id, discardingEdits: true)
    case .unrecorded(let url, let title): try await adopt(url, title)
    case .foreign(let url, _), .abandoned(let url), .unknownTrash(let url):
      if DurableMove.exists(url) { try await library.remove(url) }
    case .halfRemoved(let url): try await library.remove(url)
    case .halfDeleted, .halfInstalled: try await library.recover()
    case .unreadableRecord: break
    }
  }

  /// Puts a map that is there on the list; its name becomes an id, if it is none.
  private func adopt(_ url: URL, _ title: String) async throws(LibraryError) {
    guard DurableMove.exists(url) else { return }
    let form: StoredMap.Form = FileStatus(url)?.kind == .folder ? .folder : .file
    let name = form == .file ? url.deletingPathExtension().lastPathComponent : url.lastPathComponent
    let description = await describe(url)
    let map = StoredMap(
      id: MapID(name) ?? makeID(), origin: description?.origin ?? .imported(name), form: form,
      title: title, summary: description?.summary, portal: description?.portal, installed: now(),
      byteCount: DiskUsage(of: url).byteCount)
    try await library.adopt(url, as: map)
  }

  private static func sentence(_ error: any Error) -> String {
    (error as? any LocalizedError)?.errorDescription ?? error.localizedDescription
  }
}

extension JobState {
  /// Whether what the job has left on disk may still be of use to it.
  fileprivate var mayGoOn: Bool {
    switch self {
    case .cancelled, .succeeded: false
    case .waiting, .running, .paused, .cancelling, .succeededInPart, .failed: true
    }
  }
}
