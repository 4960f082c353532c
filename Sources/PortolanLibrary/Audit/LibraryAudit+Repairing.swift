internal import Foundation
internal import PortolanFiles

extension LibraryAudit {
  /// Repairs what was found, after looking at each finding once more while no other process moves
  /// maps about; what has changed, or is in use, is left alone.
  ///
  /// - Returns: What was not repaired, with the reason.
  @concurrent public func repair(
    _ findings: [LibraryFinding]
  ) async -> [(finding: LibraryFinding, reason: String)] {
    var failures: [(LibraryFinding, String)] = []
    for finding in findings where finding.repair != nil {
      do { try await repair(finding) } catch { failures.append((finding, Self.sentence(error))) }
    }
    return failures
  }

  private func repair(_ finding: LibraryFinding) async throws {
    switch finding {
    case .halfDeleted, .halfInstalled, .halfRemoved: try await library.recover()
    case .incomplete, .unreadable, .unreadableRecord: break
    case .unrecorded(let url, let title):
      let map = await record(of: url, title)
      try await library.repair(finding, as: map) { try await isStillSo(finding) }
    case .filesMissing, .damaged, .unknownVersion, .foreign, .abandoned, .unknownTrash:
      try await library.repair(finding, as: nil) { try await isStillSo(finding) }
    }
  }

  /// Whether what was found is so now.
  ///
  /// - Throws: ``ChangedMeanwhile`` if the map has changed and is not sound.
  private func isStillSo(_ finding: LibraryFinding) async throws -> Bool {
    guard let map = finding.map else {
      return try await others().contains { $0.isAbout(finding) }
    }
    guard try await library.storage.storedMap(map.id) == map else { throw ChangedMeanwhile() }
    let examination = MapExamination(library: library, check: check, depth: .quick)
    switch (finding, try await examination.finding(on: map)) {
    case (.filesMissing, .filesMissing?): return true
    case (.damaged(_, _, let before), .damaged(_, _, let now)?):
      guard before == now else { throw ChangedMeanwhile() }
      return true
    case (.damaged, nil):
      // What only reading everything finds.
      let deep = MapExamination(library: library, check: check, depth: .deep)
      guard case .damaged? = try await deep.finding(on: map) else { return false }
      return true
    case (_, nil): return false
    // It says that, and what it is about is left alone.
    case (_, .unreadable(_, let reason)?): throw UnreadableNow(errorDescription: reason)
    case (_, .some): throw ChangedMeanwhile()
    }
  }

  /// What is to be recorded of a map that is there; its name becomes an id, if it can be one.
  func record(of url: URL, _ title: String) async -> StoredMap {
    let container = url.deletingLastPathComponent()
    let isVersion = library.layout.isContainer(container)
    let form: StoredMap.Form = FileStatus(url)?.kind == .folder ? .folder : .file
    let named = isVersion ? container : url
    let name =
      isVersion || form == .folder
      ? named.lastPathComponent : named.deletingPathExtension().lastPathComponent
    let number = Int(url.deletingPathExtension().lastPathComponent) ?? 0
    if isVersion, let map = noted(name, number, form, at: url) { return map }
    let description = await describe(url)
    return StoredMap(
      id: MapID(name) ?? makeID(), origin: description?.origin ?? .imported(name), form: form,
      title: title, summary: description?.summary, portal: description?.portal, installed: now(),
      byteCount: DiskUsage(of: url).byteCount, version: isVersion ? number : 0)
  }
}

extension LibraryAudit {
  /// What was recorded of a version that is there, before the catalogue was lost; `nil` if that is not known.
  private func noted(
    _ name: String, _ number: Int, _ form: StoredMap.Form, at url: URL
  ) -> StoredMap? {
    let noted = library.layout.notedRecord(of: number, of: name, form, in: library.files)
    guard var map = noted else { return nil }
    map.byteCount = DiskUsage(of: url).byteCount
    (map.deleted, map.deletedOn) = (nil, nil)
    return map
  }
}

/// Signals that something was left alone because it changed.
private struct ChangedMeanwhile: LocalizedError {
  var errorDescription: String? { "It has changed since it was found, and was left alone." }
}

/// Signals that something was left alone because it cannot be read now.
private struct UnreadableNow: LocalizedError {
  let errorDescription: String?
}

extension LibraryFinding {
  /// Whether both say the same of the same thing.
  fileprivate func isAbout(_ other: LibraryFinding) -> Bool {
    switch (self, other) {
    case (.unrecorded(let url, _), .unrecorded(let same, _)),
      (.foreign(let url, _), .foreign(let same, _)),
      (.unknownVersion(let url, _), .unknownVersion(let same, _)),
      (.abandoned(let url), .abandoned(let same)),
      (.unknownTrash(let url), .unknownTrash(let same)):
      url == same
    default: false
    }
  }
}
