internal import PortolanLibrary

extension HomeLibrary {
  /// Puts maps on the list that are there and that the catalogue does not know, as after it was
  /// lost; nothing else is touched.
  ///
  /// - Throws: A problem if the catalogue cannot be read, or a map cannot be listed.
  func listFoundMaps() async throws(Problem) {
    let found = try await findings()
    let maps = found.filter { if case .unrecorded = $0 { true } else { false } }
    let failures = await audit.repair(maps)
    // Versions before are found once the current ones are on the list, and can be restored then.
    let versions = try await findings().filter {
      if case .unknownVersion = $0 { true } else { false }
    }
    // One that cannot be recorded is found by every audit.
    _ = await audit.repair(versions)
    // One that cannot be listed is found by every audit, and does not hide the others.
    do throws(LibraryError) {
      if try await !isOneUnreadable(among: found) { try await storage.mapsWereLookedFor() }
    } catch {
      throw Problem(error)
    }
    if let failure = failures.first {
      throw Problem(message: "\(failure.finding.sentence) \(failure.reason)", kind: .failure)
    }
  }

  private func findings() async throws(Problem) -> [LibraryFinding] {
    do { return try await audit.findings() } catch { throw Problem(error) }
  }

  /// Whether there is a map that is on no list, and of which it is not known yet what it is: it is looked for
  /// again with the next start.
  private func isOneUnreadable(among found: [LibraryFinding]) async throws(LibraryError) -> Bool {
    for finding in found {
      guard case .unreadable(let map, _) = finding else { continue }
      if try await storage.storedMap(map.id) == nil { return true }
    }
    return false
  }
}
