internal import Foundation
internal import PortolanFiles

// What distinguishes a home, and each map in it, from copies.
extension HomeLayout {
  /// The file that distinguishes this home from copies of it.
  var identityFile: URL { home.appending(path: ".identity") }

  /// What no copy of this home has: which file is its ``identityFile``, and its contents.
  ///
  /// Copying a home, or restoring it from a backup, makes another file; a home that is moved
  /// on its disk, or whose files get other names or rights, keeps it. `nil` in a home that was not
  /// asked for it yet.
  public var identity: String? {
    // Code that only unregisters what is this home's own then unregisters nothing.
    try? knownIdentity()
  }

  /// The ``identity``.
  ///
  /// - Throws: ``LibraryError/unreadable(file:reason:)`` where there is one that cannot be read now: taken
  ///   for another, it would make all maps copies.
  func knownIdentity() throws(LibraryError) -> String? {
    let status: FileStatus?
    do { status = try FileStatus(at: identityFile) } catch { throw LibraryError(reading: error) }
    guard let status, status.kind == .file else { return nil }
    let token: String
    do { token = try String(contentsOf: identityFile, encoding: .utf8) } catch {
      throw .unreadable(
        file: identityFile.path(percentEncoded: false), reason: error.plainReason)
    }
    // In the first homes that had one it is empty: there the date distinguishes it from copies.
    let origin = FileOrigin.text(of: identityFile, status)
    return "\(origin)-\(token.isEmpty ? "\(status.changed)" : token)"
  }

  /// What no copy of a map has, be it in a copy of this home or beside the map in this one; all versions
  /// of the map have it.
  ///
  /// `nil` in a home whose ``identity`` was not requested yet.
  public func identity(of map: MapID) -> String? {
    identity.map { Self.identity(of: map, in: $0) }
  }

  /// What no copy of a map has that was made in the home of that identity.
  package static func identity(of map: MapID, in home: String) -> String {
    "\(home)/\(map.text)"
  }
}

extension MapLibrary {
  /// What distinguishes this home from copies of it, as ``HomeLayout/identity`` says; from the first call on.
  ///
  /// - Throws: ``LibraryError/unwritable(file:reason:)`` in a home that has none yet and
  ///   that cannot be written, and what keeps anyone from changing it.
  public func homeIdentity() async throws(LibraryError) -> String {
    if let identity = try layout.knownIdentity() { return identity }
    let lock = try await lockHome()
    defer { lock.release() }
    if let identity = try layout.knownIdentity() { return identity }
    let token = Data(UUID().uuidString.lowercased().utf8)
    do { try files.write(token, to: layout.identityFile, permissions: 0o600) } catch {
      throw LibraryError(error)
    }
    guard let identity = try layout.knownIdentity() else {
      throw .unwritable(
        file: layout.identityFile.path(percentEncoded: false), reason: "it is gone")
    }
    return identity
  }

  /// What distinguishes a map of this home from copies of it, as ``HomeLayout/identity(of:)`` says; from the
  /// first call on.
  ///
  /// - Throws: as ``homeIdentity()`` does.
  public func identity(of map: MapID) async throws(LibraryError) -> String {
    HomeLayout.identity(of: map, in: try await homeIdentity())
  }
}
