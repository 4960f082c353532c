internal import Foundation
internal import PortolanFiles

// The edits in the versions of a map that no service has received.
extension MapLibrary {
  /// How many edits of the maps that may hold some no service has received.
  ///
  /// Maps whose databases are as they were installed are left out, and none of them is opened.
  ///
  /// - Returns: The counts; `nil` where one cannot be known.
  ///
  /// - Throws: The catalogue's errors, and ``LibraryError/cancelled``.
  public func unsentEdits() async throws(LibraryError) -> [MapID: Int?] {
    var counts: [MapID: Int?] = [:]
    for map in try await maps() {
      let versions = try await storage.versions(of: map.id)
      // A map that is one file now may have been a folder, whose versions are kept.
      let mayHoldSome =
        versions.isEmpty ? map.form == .folder : versions.contains(where: mayHoldEdits)
      guard mayHoldSome || hasUnrecordedVersion(map, besides: versions) else { continue }
      counts[map.id] = .some(try await unsentEdits(of: map.id))
    }
    return counts
  }

  /// Whether a version of a map is there that no record knows, or may be.
  private func hasUnrecordedVersion(_ map: StoredMap, besides known: [MapVersion]) -> Bool {
    do throws(LibraryError) {
      return try !unrecordedPlaces(of: map, besides: known).isEmpty
    } catch {
      return true
    }
  }

  /// Whether edits may be in a version that no service has received; what cannot be looked at may hold
  /// some.
  private func mayHoldEdits(_ version: MapVersion) -> Bool {
    let place = layout.place(of: version.map)
    guard files.exists(place) else { return false }
    guard !version.mayHoldEdits else { return true }
    // What cannot be looked at may hold some.
    guard let paths = try? geodatabases(of: version.map, at: place) else { return true }
    return paths.contains { path in
      // Likewise.
      guard let state = try? GeodatabaseState(of: StoredFile.url(of: path, in: place)) else {
        return true
      }
      return !isAsInstalled(path, of: version, state)
    }
  }

  /// Whether no database of a version was edited, with any program.
  nonisolated func isAsInstalled(
    _ path: String, of version: MapVersion, _ state: GeodatabaseState
  ) -> Bool {
    guard !version.isEdited, !state.hasJournal,
      let file = version.files.first(where: { $0.path == path }),
      let status = FileStatus(file.url(in: layout.place(of: version.map)))
    else { return false }
    return status.byteCount == file.byteCount && status.modified == file.modified
      && (file.changeCounter == nil || file.changeCounter == state.changeCounter)
  }

  /// How many edits that no service has received are in a version, whatever others hold.
  ///
  /// - Returns: The count; `nil` where it cannot be known.
  /// - Throws: ``LibraryError/cancelled``.
  public func unsentEdits(inVersion map: StoredMap) async throws(LibraryError) -> Int? {
    let place = layout.place(of: map)
    do throws(LibraryError) { return try await countEdits(of: map, at: place) } catch {
      guard error != .cancelled else { throw error }
      return nil
    }
  }

  /// How many edits go with an earlier version: those that its successor lacks and no service has
  /// received.
  ///
  /// - Returns: The count; `nil` where it cannot be known.
  /// - Throws: ``LibraryError/cancelled``.
  public func unsentEdits(onlyIn version: MapVersion) async throws(LibraryError) -> Int? {
    do throws(LibraryError) { return try await countEdits(onlyIn: version) } catch {
      guard error != .cancelled else { throw error }
      return nil
    }
  }

  /// Refuses to remove a version that holds edits which its successor lacks.
  func requireSettled(_ version: MapVersion) async throws(LibraryError) {
    let count = try await countEdits(onlyIn: version)
    guard count == 0 else { throw .unsentEdits(map: version.map.title, count: count) }
  }

  /// Counts the edits of a version that its successor lacks.
  ///
  /// Where the databases of the current version are gone, so are the edits that it has taken over.
  private func countEdits(onlyIn version: MapVersion) async throws(LibraryError) -> Int {
    let place = layout.place(of: version.map)
    guard files.exists(place) else { return 0 }
    var hasSuccessor = false
    if let current = try await storage.storedMap(version.map.id) {
      hasSuccessor = try await canReadDatabases(of: recordedVersion(of: current))
    }
    var count = 0
    for path in try geodatabases(of: version.map, at: place) {
      let url = StoredFile.url(of: path, in: place)
      let state = try GeodatabaseState(of: url)
      guard !hasSuccessor || !state.isUnchanged(since: version.settled[path]) else { continue }
      count += try await countEdits(of: version.map, at: url)
    }
    return count
  }

  /// Whether the databases that a version was installed with are there.
  func holdsDatabases(_ version: MapVersion) -> Bool {
    let place = layout.place(of: version.map)
    return files.exists(place)
      && version.files.filter(\.isEditableDatabase).allSatisfy { files.exists($0.url(in: place)) }
  }

  /// Whether those databases can be read, too: cut short, they have lost what they had taken over.
  private func canReadDatabases(of version: MapVersion) async throws(LibraryError) -> Bool {
    guard holdsDatabases(version) else { return false }
    do throws(LibraryError) {
      _ = try await countEdits(of: version.map, at: layout.place(of: version.map))
      return true
    } catch .editsUnknown {
      return false
    }
  }

  /// Forgets that a version whose databases are missing has taken over the edits of the versions before:
  /// they are in those only.
  func distrustSettling(by version: MapVersion) async throws(LibraryError) {
    for var earlier in try await storage.versions(of: version.map.id)
    where earlier.number != version.number && !earlier.settled.isEmpty {
      earlier.settled = [:]
      try await storage.install(version, replacing: earlier)
    }
  }
}
