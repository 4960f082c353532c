/// Opens a connection when it is first asked for.
final class ConnectionOpening {
  /// Stops the running statement; there before the connection is.
  let interruption = Interruption()

  /// The handle, once it is open.
  private(set) var opened: ConnectionHandle?

  private let mappedSize: Int
  private let preparation: String?
  private let location: () throws(DatabaseError) -> DatabaseLocation

  /// Remembers how to open; `location` is asked for when it is done, and `preparation` run then.
  init(
    mappedSize: Int, preparation: String? = nil,
    at location: @escaping () throws(DatabaseError) -> DatabaseLocation
  ) {
    self.mappedSize = mappedSize
    self.preparation = preparation
    self.location = location
  }

  /// The handle, opened and hardened.
  func handle() throws(DatabaseError) -> ConnectionHandle {
    if let opened { return opened }
    let location = try location()
    let handle = try ConnectionHandle(opening: location, interruption: interruption)
    try handle.harden(for: location.access)
    // A mapped page is checked each time it is used, which takes longer than the use.
    if mappedSize == 0 { try handle.run("PRAGMA cell_size_check = ON") }
    try handle.run("PRAGMA mmap_size = \(mappedSize)")
    // Reads the first page, so that a file which is no database is refused here.
    try handle.run("PRAGMA schema_version")
    if let preparation { try handle.run(preparation) }
    opened = handle
    return handle
  }
}
