public import Foundation
internal import PortolanFiles
public import PortolanPortal

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Accounts in a file that only its owner can read (mode 0600), in the home folder (0700).
///
/// The file is replaced as a whole and synced; several processes change it one after another.
/// One that others could read is tightened when it is met; one that cannot be understood, such as
/// an empty one, is set aside under another name, not removed.
public struct FileCredentialStore: CredentialStore {
  private let folder: URL
  private let queue = BlockingQueue("portolan.credentials")

  /// Creates a store in `folder`, which is made when something is stored.
  public init(folder: URL) { self.folder = folder }

  /// The file of the accounts.
  public var file: URL { folder.appending(path: "credentials") }

  public func accounts() async throws(CredentialStoreError) -> [PortalAccount] {
    try await queue.run { () throws(CredentialStoreError) in
      do throws(CredentialStoreError) {
        return try read()
      } catch .damaged {
        return try readUnderLock()
      }
    }
  }

  public func update(
    _ change: @escaping @Sendable (inout [PortalAccount]) -> Void
  ) async throws(CredentialStoreError) {
    try await queue.run { () throws(CredentialStoreError) in
      let lock = try FileLock.credentials(in: folder)
      defer { lock.release() }
      var accounts = try readOrSetAside()
      change(&accounts)
      try write(accounts)
    }
  }

  private var place: String { file.path(percentEncoded: false) }

  private func read() throws(CredentialStoreError) -> [PortalAccount] {
    let descriptor = unsafe open(place, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return [] }
      throw .unreadable(place: place, reason: unsafe String(cString: strerror(errno)))
    }
    defer { close(descriptor) }
    try tighten(descriptor)
    let data: Data
    do {
      let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
      data = try handle.read(upToCount: Self.largest + 1) ?? Data()
    } catch {
      throw .unreadable(place: place, reason: "reading it failed")
    }
    guard data.count <= Self.largest, let document = AccountDocument(parsing: data) else {
      throw .damaged(place: place)
    }
    return document.accounts
  }

  /// A limit for the size of the list of accounts, in bytes.
  private static let largest = 4 << 20

  /// Takes the file from everyone but its owner.
  private func tighten(_ descriptor: Int32) throws(CredentialStoreError) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      throw .unreadable(place: place, reason: unsafe String(cString: strerror(errno)))
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .damaged(place: place) }
    guard status.st_uid == geteuid() else { throw .foreign(place: place) }
    if status.st_mode & 0o077 != 0, fchmod(descriptor, 0o600) != 0 {
      throw .unreadable(place: place, reason: "others can read it, and that cannot be changed")
    }
  }

  /// Reads again what looked damaged, and sets it aside if it still does.
  ///
  /// - Throws: ``CredentialStoreError/setAside(place:copy:)`` once it is out of the way.
  private func readUnderLock() throws(CredentialStoreError) -> [PortalAccount] {
    let lock = try FileLock.credentials(in: folder)
    defer { lock.release() }
    do {
      return try read()
    } catch .damaged {
      throw .setAside(place: place, copy: try setAside())
    }
  }

  private func readOrSetAside() throws(CredentialStoreError) -> [PortalAccount] {
    do {
      return try read()
    } catch .damaged {
      _ = try setAside()
      return []
    }
  }

  /// Gives the file another name, which is returned.
  private func setAside() throws(CredentialStoreError) -> String {
    let name = "credentials.damaged-\(UInt32.random(in: 0 ... .max))"
    let aside = folder.appending(path: name).path(percentEncoded: false)
    guard unsafe rename(place, aside) == 0 else {
      throw .unwritable(place: place, reason: unsafe String(cString: strerror(errno)))
    }
    return aside
  }

  private func write(_ accounts: [PortalAccount]) throws(CredentialStoreError) {
    do {
      try FileSystem.live.write(AccountDocument(accounts).data, to: file, permissions: 0o600)
    } catch {
      throw .unwritable(place: place, reason: error.reason)
    }
  }
}
