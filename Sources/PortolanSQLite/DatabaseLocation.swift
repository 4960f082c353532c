internal import CSQLite

internal import struct Foundation.URL

/// The location of a database, in terms of SQLite.
struct DatabaseLocation {
  /// The name for `sqlite3_open_v2`: a `file:` address, or `:memory:`.
  let name: String

  /// The `SQLITE_OPEN` flags.
  let flags: Int32

  /// The path, for messages too; `nil` for a database in memory.
  let file: String?

  /// The name of the virtual file system; `nil` for the default one.
  let fileSystem: String?

  let access: Database.Access

  /// How long to wait for locks that others hold.
  var patience: Duration = .seconds(5)

  /// A database that lives as long as its connection.
  static var memory: DatabaseLocation {
    DatabaseLocation(
      name: ":memory:", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, file: nil,
      fileSystem: nil, access: .create)
  }

  /// A file of its own.
  init(_ url: URL, access: Database.Access) throws(DatabaseError) {
    let mode: Mode =
      switch access {
      case .immutable: .immutable
      case .readOnly: .reading
      case .readWrite, .edit: .writing
      case .create: .creating
      }
    self.init(path: try Self.path(of: url), access: access, mode)
  }

  /// What SQLite itself may do to a file, whatever our statements may.
  enum Mode {
    /// Reads a file that cannot change, without locks.
    case immutable
    /// Reads, with locks.
    case reading
    /// Reads and writes; reads only where the file system lets it do no more.
    case writing
    /// The same, with an empty file where there is none.
    case creating
  }

  /// The file at a path.
  init(path: String, access: Database.Access, _ mode: Mode) {
    let (query, flags) =
      switch mode {
      case .immutable: ("mode=ro&immutable=1", SQLITE_OPEN_READONLY)
      case .reading: ("mode=ro", SQLITE_OPEN_READONLY)
      case .writing: ("mode=rw", SQLITE_OPEN_READWRITE)
      case .creating: ("mode=rwc", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
      }
    self.init(
      name: Self.address(path, query), flags: flags | SQLITE_OPEN_URI, file: path,
      fileSystem: nil, access: access)
  }

  /// A database inside another file.
  init(_ region: FileRegion) throws(DatabaseError) {
    let path = try Self.path(of: region.url)
    let fileSystem = try RegionFileSystem.registeredName()
    let query = "mode=ro&immutable=1&offset=\(region.offset)&length=\(region.length)"
    self.init(
      name: Self.address(path, query), flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI,
      file: path, fileSystem: fileSystem, access: .immutable)
  }

  private init(
    name: String, flags: Int32, file: String?, fileSystem: String?, access: Database.Access
  ) {
    self.name = name
    self.flags = flags
    self.file = file
    self.fileSystem = fileSystem
    self.access = access
  }

  private static func path(of url: URL) throws(DatabaseError) -> String {
    let path = url.path(percentEncoded: false)
    guard url.isFileURL, !path.utf8.contains(0) else {
      throw DatabaseError(
        extendedCode: SQLITE_CANTOPEN, message: "not the path of a file", sql: nil, file: path)
    }
    return path
  }

  /// A `file:` address for `path`, in which `?`, `#` and `%` are only letters of the name.
  ///
  /// - SeeAlso: [Uniform Resource Identifiers](https://www.sqlite.org/uri.html)
  private static func address(_ path: String, _ query: String) -> String {
    var address = Array("file:".utf8)
    address.reserveCapacity(path.utf8.count + query.utf8.count + 16)
    // An empty host, or else a path that begins with two slashes would name one.
    if path.utf8.first == UInt8(ascii: "/") { address += "//".utf8 }
    for byte in path.utf8 {
      if isPlain(byte) {
        address.append(byte)
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        address += (byte < 16 ? "%0" : "%").utf8
        address += digits.utf8
      }
    }
    address += "?".utf8
    address += query.utf8
    return String(decoding: address, as: UTF8.self)
  }

  /// Whether a byte of a path stands for itself in an address.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
