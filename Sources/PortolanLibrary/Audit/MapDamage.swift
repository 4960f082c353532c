/// The damage to the files of a version of a map.
public struct MapDamage: Hashable, Sendable {
  /// The parts that are missing, cut or altered, a sentence each.
  let faults: [String]
  /// Whether edits may be in the version that no service has received.
  public let mayHoldEdits: Bool

  /// The parts that are missing, cut or altered, in sentences.
  public var reason: String { faults.joined(separator: " ") }
}

extension MapLibrary {
  /// What a quick audit finds wrong with the files of a version of a map; the map is not opened.
  ///
  /// - Parameter map: The version, as it is recorded.
  /// - Returns: The damage; `nil` if the files are as they were installed, or as people have edited them.
  /// - Throws: ``LibraryError/unreadable(file:reason:)`` for what cannot be read now, which says nothing
  ///   of what is in it; ``LibraryError/cancelled``, and the catalogue's errors.
  public func damage(of map: StoredMap) async throws(LibraryError) -> MapDamage? {
    try await MapExamination(library: self, check: nil, depth: .quick).damage(of: map)
  }

  /// Refuses to use a version with damaged files in place of the current one.
  func requireUndamaged(_ version: MapVersion) async throws(LibraryError) {
    guard let damage = try await damage(of: version.map) else { return }
    throw .damagedVersion(map: version.map.title, reason: damage.reason)
  }
}
