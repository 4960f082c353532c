internal import Foundation
public import Observation
internal import PortolanJobs
internal import PortolanLibrary
internal import PortolanOffline

/// The screen of what is stored on this device and whether it is sound.
@MainActor
@Observable
public final class StorageModel {
  /// A finding: a part of the library that is not as it should be.
  public struct Finding: Hashable, Sendable, Codable {
    /// The kind of the finding.
    public var kind: FindingKind
    /// The description, a sentence.
    public var sentence: String
    /// The effect of repairing it, a sentence; `nil` if it does nothing.
    public var repair: String?
    /// Advice on what users can do themselves, a sentence; `nil` if there is none.
    public var advice: String?
  }

  /// The result of an audit.
  public struct Audit: Hashable, Sendable, Codable {
    /// Its number, by which what it has found is repaired.
    public var number: Int
    /// The findings.
    public var findings: [Finding]
  }

  /// A finding that could not be put right.
  public struct Failure: Hashable, Sendable, Codable {
    /// The finding.
    public var finding: Finding
    /// The reason for the failure, a sentence.
    public var reason: String
  }

  /// The result of a repair.
  public struct Repair: Hashable, Sendable, Codable {
    /// The findings that were to be repaired.
    public var findings: [Finding]
    /// The findings that could not be repaired, with the reasons.
    public var failures: [Failure]
    /// The findings after the repair.
    public var left: [Finding]

    /// Creates what repairing has done.
    public init(findings: [Finding], failures: [Failure] = [], left: [Finding]) {
      self.findings = findings
      self.failures = failures
      self.left = left
    }
  }

  /// A map or file that was deleted for good.
  public struct Removal: Hashable, Sendable, Codable {
    /// Its name in the list.
    public var name: String
    /// The bytes that were freed.
    public var byteCount: Int
  }

  /// A damaged map, or a deleted one that was stored again, which was set aside since it may hold edits.
  public struct Kept: Hashable, Sendable, Codable {
    /// Its name among what was set aside.
    public var name: String
    /// The id of the map that it was, where it was one.
    public var mapID: String
    /// The title of the map, if it is known.
    public var title: String?
    /// Whether it had been deleted, and was set aside when the map was stored again.
    public var isDeleted: Bool
    /// The path of its file or folder.
    public var path: String
    /// The bytes in its files.
    public var byteCount: Int
    /// The paths of the geodatabases in it, which may hold edits.
    public var geodatabases: [String]
  }

  /// The depth of an audit.
  public enum Depth: Hashable, Sendable {
    /// Every file is there and has its size.
    case quick
    /// Every file is read to its end.
    case deep
  }

  /// The progress of a deep audit.
  public struct Progress: Hashable, Sendable, Codable {
    /// The title of the map that is being read.
    public var title: String
    /// The bytes that were read so far.
    public var byteCount: Int
    /// The bytes that are to be read.
    public var totalByteCount: Int
  }

  /// The state of the screen.
  public struct State: Hashable, Sendable, Codable {
    /// The findings of the last audit; `nil` before there was one.
    public var findings: [Finding]?
    /// The usage of space; `nil` before it was measured.
    public var usage: StorageUsage?
    /// The maps that were set aside; `nil` before they were listed.
    public var kept: [Kept]?
  }

  /// The current state; observe this.
  public private(set) var state = State()

  /// The findings of the last audit; `nil` before there was one.
  public var findings: [Finding]? { state.findings }

  /// The usage of space; `nil` before it was measured.
  public var usage: StorageUsage? { state.usage }

  /// The maps that were set aside; `nil` before they were listed.
  public var kept: [Kept]? { state.kept }

  @ObservationIgnored private let library: HomeLibrary
  /// The findings of audits that may still be repaired; those of the latest audit are last.
  @ObservationIgnored private var records: [AuditRecord] = []
  @ObservationIgnored private var lastAudit = 0
  /// The number of the audit whose findings the screen shows.
  @ObservationIgnored private var shownAudit = 0

  /// The findings of how many audits are kept, each of which a page may show.
  private static let keptAudits = 16

  /// Creates the screen; nothing is looked at yet.
  public init(library: HomeLibrary) { self.library = library }

  /// Measures what takes space.
  ///
  /// - Throws: A problem if the catalogue cannot be read.
  public func measure() async throws(Problem) {
    let free = library.offline.surroundings.freeSpace(library.maps.layout.home)
    do {
      var usage = try await StorageUsage.measured(library.maps, free: free)
      usage.messages = try await library.storage.outgoingMessages().map(StorageUsage.Message.init)
      state.usage = usage
    } catch {
      throw Problem(error)
    }
  }

  /// Removes for good everything that was deleted.
  ///
  /// - Returns: The bytes that were freed, as far as recorded.
  /// - Throws: A problem if something cannot be removed.
  public func emptyTrash() async throws(Problem) -> Int {
    do { return try await library.maps.emptyTrash() } catch {
      throw Problem(error)
    }
  }

  /// Gives up saying something to servers of a host: what it is about stays there until they forget it.
  ///
  /// - Parameter host: The host, as it is named with the messages.
  /// - Returns: How many messages were dropped.
  /// - Throws: A problem if they cannot be read or removed.
  public func dropMessages(to host: String) async throws(Problem) -> Int {
    var count = 0
    do {
      for message in try await library.storage.outgoingMessages()
      where StorageUsage.Message(message).host == host {
        try await library.storage.remove(message.id)
        count += 1
      }
    } catch {
      throw Problem(error)
    }
    try await measure()
    return count
  }

  /// Lists what was set aside, damaged, since it may hold edits.
  ///
  /// - Throws: A problem if it cannot be listed.
  public func listKept() async throws(Problem) {
    do { state.kept = try await library.audit.keptMaps().map(Kept.init) } catch {
      throw Problem(error)
    }
  }

  /// Deletes for good something that was set aside, with the edits that may be in it.
  ///
  /// - Parameter name: Its name in the list.
  /// - Returns: What was deleted.
  /// - Throws: A problem if there is no such thing, or it cannot be deleted.
  public func deleteKept(_ name: String) async throws(Problem) -> Removal {
    let freed: Int
    do { freed = try await library.maps.deleteKept(name) } catch { throw Problem(error) }
    try await listKept()
    return Removal(name: name, byteCount: freed)
  }

  /// Puts something that was set aside back on the list of maps, with the edits that are in it.
  ///
  /// - Parameter name: Its name in the list.
  /// - Returns: The map, which has another title where a map has its own.
  /// - Throws: A problem if there is no such thing, or it does not open; it stays set aside then.
  public func putBackKept(_ name: String) async throws(Problem) -> RestoredMap {
    let restored: RestoredMap
    do {
      let turn = try await library.maps.holdTitles()
      defer { turn.release() }
      let coming = try await library.takenTitles().coming
      let map = try await library.audit.putBack(name, besides: coming)
      restored = RestoredMap(id: map.id.text, title: map.title, origin: .kept)
    } catch {
      throw Problem(error)
    }
    try await listKept()
    return restored
  }

  /// Looks whether all is sound; changes nothing.
  ///
  /// - Parameters:
  ///   - depth: How closely to look.
  ///   - report: Called while files are read.
  /// - Returns: What was found, also where others look meanwhile.
  /// - Throws: A problem if the catalogue cannot be read.
  @discardableResult
  public func audit(
    _ depth: Depth = .quick, report: @escaping @Sendable (Progress) -> Void = { _ in }
  ) async throws(Problem) -> Audit {
    lastAudit += 1
    let number = lastAudit
    do {
      let found = try await library.audit.findings(depth == .deep ? .deep : .quick) {
        report(
          Progress(title: $0.title, byteCount: $0.byteCount, totalByteCount: $0.totalByteCount))
      }
      let findings = found.map(Finding.init) + (try await archivedEdits(depth, besides: found))
      records = Array(records.suffix(Self.keptAudits - 1))
      records.append(AuditRecord(number: number, depth: depth, found: found))
      // One that looks closely may end long after one that was started later.
      if number > shownAudit {
        shownAudit = number
        state.findings = findings
      }
      return Audit(number: number, findings: findings)
    } catch {
      throw Problem(error)
    }
  }

  /// The unsent edits in archives, as older Portolans have brought them in; of large ones only
  /// where every file is read.
  private func archivedEdits(
    _ depth: Depth, besides found: [LibraryFinding]
  ) async throws(LibraryError) -> [Finding] {
    let known = Set(found.compactMap(\.map?.id))
    var findings: [Finding] = []
    for map in try await library.maps.maps() where !known.contains(map.id) {
      guard depth == .deep || map.isSmallImportedArchive,
        let edits = try await library.archivedEdits(in: map)
      else { continue }
      findings.append(
        Finding(
          kind: .archivedEdits, sentence: edits.sentence(ofStored: map.title),
          advice: ArchivedEdits.wayOut))
    }
    return findings
  }

  /// Puts right what an audit found, and looks again, as closely as it did.
  ///
  /// - Parameter number: The number of the audit whose findings people have seen; that of the last one if `nil`.
  /// - Returns: What was done, and what is left.
  /// - Throws: A problem if too many audits followed that one, or the catalogue cannot be read.
  public func repair(_ number: Int? = nil) async throws(Problem) -> Repair {
    let wanted = number ?? records.map(\.number).max()
    let record = records.first { $0.number == wanted }
    guard number == nil || record != nil else {
      throw Problem(
        message: "What was found is not known any more.", suggestion: "Check the maps again.",
        kind: .absence)
    }
    let found = record?.found ?? []
    let failures = await library.audit.repair(found)
    let latest = try await audit(record?.depth ?? .quick).number
    let left = records.first { $0.number == latest }?.found ?? []
    return Repair(
      findings: found.map(Finding.init),
      failures: failures.map { Failure(finding: Finding($0.finding), reason: $0.reason) },
      left: left.map(Finding.init))
  }
}

/// The findings of an audit, as the library records them.
private struct AuditRecord {
  let number: Int
  /// The depth of the audit.
  let depth: StorageModel.Depth
  let found: [LibraryFinding]
}

extension StorageUsage.Message {
  fileprivate init(_ message: OutboxMessage) {
    self.init(
      purpose: message.purpose, host: message.address.host() ?? message.portal.host() ?? "",
      created: message.created, givenUp: message.givenUp, silences: message.silence?.count)
  }
}

extension StorageModel.Finding {
  fileprivate init(_ finding: LibraryFinding) {
    kind = StorageModel.FindingKind(finding)
    sentence = finding.sentence
    repair = finding.repair
  }
}

extension StorageModel.Kept {
  fileprivate init(_ map: KeptMap) {
    self.init(
      name: map.name, mapID: map.mapName, title: map.title, isDeleted: map.isDeleted,
      path: map.url.path(percentEncoded: false),
      byteCount: map.byteCount,
      geodatabases: map.geodatabases.map { map.url.appending(path: $0).path(percentEncoded: false) }
    )
  }
}
