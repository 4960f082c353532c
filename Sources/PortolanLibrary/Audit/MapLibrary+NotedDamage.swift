internal import Foundation
internal import PortolanFiles

// What audits have found wrong with versions, for lists that do not look at every file.
extension MapLibrary {
  /// What audits have found wrong with the versions of maps that are in use, sentences for people; maps with
  /// which nothing was wrong are left out.
  ///
  /// What has become of the files since is not looked at.
  public func notedDamage(of maps: [StoredMap]) -> [MapID: String] {
    // A folder that cannot be listed says nothing.
    let names = Set((try? files.names(in: layout.records)) ?? [])
    var damage: [MapID: String] = [:]
    for map in maps {
      let file = layout.damageFile(of: map.version, of: map.id.text)
      guard names.contains(file.lastPathComponent) else { continue }
      damage[map.id] = FaultsByDepth.noted(in: file, by: files)?.reason
    }
    return damage
  }

  /// Notes what an audit has found wrong with the version of a map that is in use, or that it has found nothing.
  ///
  /// What only a deep audit sees stays noted until the next one has looked at it.
  func noteDamage(
    _ finding: LibraryFinding?, _ faults: FaultsByDepth, of map: StoredMap, at depth: AuditDepth
  ) {
    guard map.deleted == nil else { return }
    let file = layout.damageFile(of: map.version, of: map.id.text)
    let before = FaultsByDepth.noted(in: file, by: files)
    var damage = before ?? FaultsByDepth()
    switch finding {
    case .filesMissing?:
      // What is wrong with files that are elsewhere is not seen at any depth.
      damage.quick = ["Its files are missing."]
    case nil, .damaged?, .incomplete?:
      damage.quick = faults.quick
      if depth == .deep { damage.deep = faults.deep }
    // What is the matter with its files is not known now.
    default: return
    }
    guard !damage.isEmpty else { return forgetDamage(of: map) }
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

  /// Says what audits have found wrong with a version.
  func damageFile(of number: Int, of id: String) -> URL {
    records.appending(path: "\(id)-\(number).\(Self.damageExtension)")
  }
}
