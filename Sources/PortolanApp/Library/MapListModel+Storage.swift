public import Foundation
internal import PortolanJobs
internal import PortolanLibrary
internal import PortolanOffline
internal import PortolanPackages

extension MapListModel {
  /// The picture of a row, also where there is no network: the one that its portal gave, else, of
  /// a stored map, that of its package, or one that is drawn once and kept.
  ///
  /// - Parameter id: The id of the row.
  /// - Returns: PNG or JPEG; `nil` if it has none and is not stored.
  /// - Throws: A problem if the catalogue cannot be read or written.
  public func thumbnail(of id: String) async throws(Problem) -> Data? {
    do { return try await library.thumbnail(of: id) } catch { throw Problem(error) }
  }

  /// Finds a stored map and keeps others from deleting it.
  ///
  /// - Throws: A problem if it is not stored.
  func beginUse(of id: String) async throws(Problem) -> OpenedStoredMap {
    do throws(LibraryError) {
      let lease = try await library.maps.open(try mapID(id))
      return OpenedStoredMap(id: id, lease: lease, library: library.maps)
    } catch {
      throw Problem(error)
    }
  }

  /// The numbers of unsent edits of stored maps; maps without any, and those whose edits cannot be
  /// counted, are left out.
  public func unsentEdits(of ids: [String]) async throws(Problem) -> [String: Int] {
    var counts: [String: Int] = [:]
    for id in ids {
      guard let mapID = MapID(id) else { continue }
      do {
        if let count = try await library.maps.unsentEdits(of: mapID), count > 0 {
          counts[id] = count
        }
      } catch {
        throw Problem(error)
      }
    }
    return counts
  }

  /// The ids among `ids` of maps that had been deleted with edits, and whose deleted copy was set
  /// aside when they were stored again.
  public func setAside(of ids: [String]) async throws(Problem) -> Set<String> {
    do throws(LibraryError) {
      let kept = try await library.maps.keptMaps().filter(\.isDeleted).map(\.mapName)
      return Set(ids).intersection(kept)
    } catch {
      throw Problem(error)
    }
  }

  /// The consequences of deleting a map, to ask the user about.
  ///
  /// - Throws: A problem if it is not stored, is open, or holds edits that were not sent.
  public func deletion(
    of id: String, discardingEdits: Bool = false
  ) async throws(Problem) -> MapDeletion {
    do throws(LibraryError) {
      let mapID = try mapID(id)
      let byteCount = try await library.maps.deletion(of: mapID, discardingEdits: discardingEdits)
      let title = try await library.storage.storedMap(mapID)?.title ?? id
      // Without the permission there are none.
      var edits = discardingEdits ? try await library.maps.unsentEdits(of: mapID) : 0
      switch try await archivedEdits(of: mapID, discarding: discardingEdits) {
      case nil: break
      case .counted(let count): edits = edits.map { max($0, count) }
      case .unknown: edits = nil
      }
      return MapDeletion(id: id, title: title, byteCount: byteCount, unsentEdits: edits)
    } catch {
      throw await problem(error, with: id, afterExport: .discard)
    }
  }

  /// Moves a map to the trash; services that registered it as a replica are notified once there is
  /// a network.
  ///
  /// - Throws: as ``deletion(of:discardingEdits:)`` does.
  public func delete(_ id: String, discardingEdits: Bool = false) async throws(Problem) {
    do {
      let mapID = try mapID(id)
      // An archive is unpacked for that, which takes time and space that a deletion may be meant to free.
      if !discardingEdits { _ = try await archivedEdits(of: mapID, discarding: false) }
      let releases = await releases(of: mapID)
      try await library.maps.delete(mapID, discardingEdits: discardingEdits)
      // The map is deleted, and a message that could not be recorded is no reason to report a
      // failure: services forget unused replicas in time.
      for message in releases { try? await library.storage.post(message) }
    } catch {
      throw await problem(error, with: id, afterExport: .discard)
    }
    try await load()
  }

  /// The edits in a map that an older Portolan has imported as an archive: nothing else counts those.
  ///
  /// - Throws: ``LibraryError/unsentEdits(map:count:)`` unless they may be discarded. Where they cannot be
  ///   counted they do not prevent deleting or replacing the map, for they may be none.
  func archivedEdits(
    of id: MapID, discarding: Bool
  ) async throws(LibraryError) -> ArchivedEdits? {
    guard let map = try await library.storage.storedMap(id) else { return nil }
    let edits = try await library.archivedEdits(in: map)
    if case .counted(let count) = edits, !discarding {
      throw .unsentEdits(map: map.title, count: count)
    }
    return edits
  }

  /// A step that unsent edits block, and that is possible once they were exported.
  enum StepAfterExport {
    /// Asking for it in spite of the edits.
    case discard
    /// Undoing the edits.
    case undo
    /// Deleting the map that was to be replaced.
    case delete

    /// The advice in full sentences.
    fileprivate var sentence: String {
      switch self {
      case .discard: "Or discard the edits."
      case .undo: "Then undo them, and try again. Until then the version in use stays."
      case .delete:
        "Then delete it, and import the package again. Or import that under another name."
      }
    }
  }

  /// The problem, without the advice to send edits where no service accepts them.
  func problem(
    _ error: any Error, with id: String, afterExport step: StepAfterExport
  ) async -> Problem {
    var problem = Problem(error)
    guard let error = error as? LibraryError else { return problem }
    switch error {
    case .unsentEdits(let map, _): await describeWayOut(ofEditsIn: id, map, step, &problem)
    case .editsUnknown: break
    default: return problem
    }
    if step == .discard { problem.actions.append(NextAction(.discardEdits, id)) }
    return problem
  }

  /// Says what can be done with edits that were not sent.
  private func describeWayOut(
    ofEditsIn id: String, _ title: String, _ step: StepAfterExport, _ problem: inout Problem
  ) async {
    var sentences = [NextAction.Kind.sendEdits.sentence]
    if await holdsEditsBesideCurrent(id) {
      // Neither a service nor a file would get them.
      sentences = ["They are in an earlier version of the map.", NextAction.Kind.rollBack.sentence]
      problem.actions = problem.actions.map {
        $0.kind == .sendEdits ? NextAction(.rollBack, title) : $0
      }
    } else if await !takesEdits(of: id) {
      sentences = [
        "No service takes them.", NextAction.Kind.exportMap.sentence,
        step == .discard ? nil : step.sentence,
      ].compactMap(\.self)
      problem.actions = problem.actions.map {
        $0.kind == .sendEdits ? NextAction(.exportMap, title) : $0
      }
    }
    if step == .discard { sentences.append(step.sentence) }
    problem.suggestion = sentences.joined(separator: " ")
  }

  /// Whether edits of a map are not in the version that is in use, but in others.
  private func holdsEditsBesideCurrent(_ id: String) async -> Bool {
    // An unreadable map may hold such edits, and so may an archive of an older Portolan, whose
    // edits the library does not count.
    guard let mapID = MapID(id), let map = try? await library.storage.storedMap(mapID),
      !map.isImportedArchive
    else { return false }
    // Likewise.
    return (try? await library.maps.unsentEdits(inVersion: map)) == 0
  }

  /// Whether a service takes the edits of a map; unknown for one that cannot be read.
  func takesEdits(of id: String) async -> Bool {
    guard let mapID = MapID(id) else { return true }
    // An unreadable map may have a service that takes its edits.
    return (try? await OfflineMapSyncTask(library.offline).takesEdits(mapID)) ?? true
  }

  /// Whether what is newer comes with a synchronization; unknown for a map that cannot be read.
  func isSynchronized(_ map: MapID) async -> Bool {
    // An unreadable map may have a service with newer data.
    (try? await OfflineMapSyncTask(library.offline).isSynchronized(map)) ?? true
  }

  /// The messages to services about a map that is deleted, or restored before they were notified.
  private func releases(of id: MapID) async -> [OutboxMessage] {
    // A map that cannot be read can still be deleted; services forget unused copies in time.
    guard let map = try? await library.storage.storedMap(id) else { return [] }
    // The same holds for one whose geodatabases cannot be read.
    return (try? await OfflineMapSyncTask(library.offline).releases(of: map)) ?? []
  }

  /// Makes the version of a map before its last update the current one again.
  ///
  /// - Returns: The map as it is now.
  /// - Throws: A problem if there is none, the map is being edited, or it holds edits that were not
  ///   sent.
  @discardableResult
  public func rollBack(_ id: String) async throws(Problem) -> RestoredMap {
    let map: StoredMap
    let before: StoredMap?
    do throws(LibraryError) {
      let mapID = try mapID(id)
      before = try await library.maps.maps().first { $0.id == mapID }
      map = try await library.maps.rollBack(mapID)
    } catch {
      throw await problem(error, with: id, afterExport: .undo)
    }
    try await load()
    let isUpdate = before.map { $0.version < map.version } ?? false
    return RestoredMap(
      id: map.id.text, title: map.title, origin: isUpdate ? .rollback : .update)
  }

  /// Whether a map is in the trash, from which ``undoDeletion(of:)`` restores it.
  ///
  /// - Throws: A problem if that cannot be read.
  public func isDeleted(_ id: String) async throws(Problem) -> Bool {
    do throws(LibraryError) {
      return try await library.maps.deletedMaps().contains { $0.id.text == id }
    } catch {
      throw Problem(error)
    }
  }

  /// Takes a map back from the trash.
  ///
  /// - Parameter id: The map by its id, the beginning of it or its title; the one that was deleted
  ///   last if `nil`.
  /// - Returns: The map.
  /// - Throws: A problem if it is not in the trash, which says where it is if it was set aside when
  ///   the map was downloaded again.
  public func undoDeletion(of id: String? = nil) async throws(Problem) -> RestoredMap {
    let restored: RestoredMap
    do {
      let deleted = try await library.maps.deletedMaps()
      let last = deleted.max { ($0.deleted ?? .distantPast) < ($1.deleted ?? .distantPast) }
      let prefixed = id.flatMap { deleted.map(\.id.text).onlyID(startingWith: $0) }
      let meant =
        id == nil
        ? last
        : deleted.first { $0.id.text == id || $0.title == id }
          ?? deleted.first {
            $0.id.text == prefixed
          }
      guard let map = meant else { throw try await absence(ofDeleted: id) }
      try await library.maps.undoDeletion(of: map.id)
      restored = RestoredMap(id: map.id.text, title: map.title, origin: .trash)
      // Services that were notified already, or will be since the message cannot be taken back, are
      // set right by the next synchronization.
      for message in await releases(of: map.id) { try? await library.storage.remove(message.id) }
    } catch {
      throw Problem(error)
    }
    try await load()
    return restored
  }

  /// The reason why a map is not in the trash: one that was deleted with edits and downloaded again
  /// since is among those set aside.
  private func absence(
    ofDeleted name: String?
  ) async throws(LibraryError) -> LibraryError {
    let kept = try await library.maps.keptMaps().filter(\.isDeleted)
    let found = kept.last { map in
      guard let name else { return false }
      return map.mapName == name || map.title == name || name.isBeginning(ofID: map.mapName)
    }
    guard let found else { return .notInTrash(name) }
    return .deletedAndKept(map: found.title ?? found.mapName, name: found.name)
  }

  private func mapID(_ id: String) throws(LibraryError) -> MapID {
    guard let mapID = MapID(id) else { throw .noSuchMap(id) }
    return mapID
  }
}
