internal import Foundation
internal import PortolanFiles

// What audits have found wrong with versions, for lists that do not look at every file.
extension MapLibrary {
  /// What the last audit has found wrong with the versions of maps that are in use, sentences for people; maps
  /// with which nothing was wrong are left out.
  ///
  /// What has become of the files since is not looked at.
  public func notedDamage(of maps: [StoredMap]) -> [MapID: String] {
    // A folder that cannot be listed says nothing.
    let names = Set((try? files.names(in: layout.records)) ?? [])
    var damage: [MapID: String] = [:]
    for map in maps {
      let file = layout.damageFile(of: map.version, of: map.id.text)
      guard names.contains(file.lastPathComponent) else { continue }
      damage[map.id] = NotedDamage(at: file, by: files)?.reason
    }
    return damage
  }

  /// Notes what an audit has found wrong with the version of a map that is in use, or that it has found nothing.
  ///
  /// What reading every file has found stays noted until reading every file finds nothing.
  func noteDamage(_ finding: LibraryFinding?, of map: StoredMap, at depth: AuditDepth) {
    guard map.deleted == nil else { return }
    let file = layout.damageFile(of: map.version, of: map.id.text)
    let before = NotedDamage(at: file, by: files)
    let reason: String
    var isFoundByReading = before?.isFoundByReading == true
    switch finding {
    case .damaged(_, let found, _)?:
      reason = found
      // What a quick audit has found is found by a deep one, too.
      if depth == .deep, before?.reason != found { isFoundByReading = true }
    case .filesMissing?:
      reason = "Its files are missing."
      // Whether they are there again is seen without reading them.
      isFoundByReading = false
    case nil, .incomplete?:
      if !isFoundByReading || depth == .deep { forgetDamage(of: map) }
      return
    // What is the matter with its files is not known now.
    default: return
    }
    let damage = NotedDamage(reason: reason, isFoundByReading: isFoundByReading)
    guard damage != before else { return }
    do {
      try files.createFolder(layout.records, permissions: 0o700)
      try files.write(JSONEncoder().encode(damage), to: file, permissions: 0o600)
    } catch {
      // The audit has told people, and the next one finds it again.
    }
  }

  /// Forgets what was found wrong with a version that is there anew, or no more.
  func forgetDamage(of map: StoredMap) {
    let file = layout.damageFile(of: map.version, of: map.id.text)
    guard files.exists(file) else { return }
    // What stays is looked at again by the next audit.
    try? files.erase(file)
  }
}

extension HomeLayout {
  static let damageExtension = "damaged"

  /// Says what the last audit has found wrong with a version.
  func damageFile(of number: Int, of id: String) -> URL {
    records.appending(path: "\(id)-\(number).\(Self.damageExtension)")
  }
}

/// What an audit has found wrong with a version.
private struct NotedDamage: Codable, Equatable {
  /// Sentences for people.
  let reason: String
  /// Whether only reading every file has found it.
  let isFoundByReading: Bool

  /// More than any has, in bytes.
  private static let largest = 1 << 20

  init(reason: String, isFoundByReading: Bool) {
    self.reason = reason
    self.isFoundByReading = isFoundByReading
  }

  /// Reads what was noted; `nil` where nothing was, or it cannot be read.
  init?(at file: URL, by files: FileSystem) {
    // What cannot be read, or was written by another program, says nothing.
    guard let data = try? files.read(file, limit: Self.largest),
      // The same.
      let damage = try? JSONDecoder().decode(Self.self, from: data)
    else { return nil }
    self = damage
  }
}
