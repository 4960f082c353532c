internal import Foundation
internal import PortolanCrypto
internal import PortolanFiles
internal import PortolanJSON
internal import PortolanSQLite

/// The keys of the sources of a cache, in a file of their own beside it that only its owner can read.
///
/// In the cache itself each key is a mark, so that a copy of the cache contains no key. The
/// tiles are there without the keys; only their servers cannot be asked. The file is written within
/// transactions of the cache, of which there is one at a time, and before they end: a crash leaves a key
/// too many at most.
struct SourceKeyFile: Sendable {
  /// What a mark begins with; digits follow.
  private static let mark = "kept-apart-"
  private static let byteLimit = 4 << 20
  private static let saltSize = 16

  /// What the file holds.
  private struct Content: Equatable {
    /// Makes marks tell nothing of short passwords.
    var salt: String
    /// The keys, by their marks.
    var keys: [String: String] = [:]
  }

  let url: URL

  /// Whether a value is the mark of a key instead of one.
  static func isMark(_ value: Substring) -> Bool { value.hasPrefix(mark) }

  /// The file that belongs to the cache at `cache`.
  init(of cache: URL) { url = URL(filePath: cache.path(percentEncoded: false) + ".keys") }

  // MARK: - Records

  /// A source as the cache records it; `nil` where one of its keys is not kept yet.
  func record(of config: MapCacheConfig) throws -> Data? {
    struct Unknown: Error {}
    var content: Content?
    do {
      return try SourceKeys.replacing(in: config.json) { key in
        // The key was not here when the source was read.
        guard !key.hasPrefix(Self.mark) else { return key }
        let known = try content ?? read()
        content = known
        let mark = try known.map { try Self.mark(of: key, $0.salt) }
        guard let mark, known?.keys[mark] == key else { throw Unknown() }
        return mark
      }.encoded()
    } catch is Unknown {
      return nil
    }
  }

  /// A source as the cache records it, whose keys are kept from now on; in a transaction of the caller.
  func keep(_ config: MapCacheConfig) throws -> Data { try keep(config.json).encoded() }

  /// The source of a record; `nil` for one that cannot be read.
  ///
  /// A key that is not here stays a mark.
  func config(_ record: Data) -> MapCacheConfig? {
    // As said above.
    guard var json = try? JSONValue(parsing: record) else { return nil }
    if record.range(of: Data(Self.mark.utf8)) != nil {
      // As said above.
      let keys = (try? read())?.keys ?? [:]
      json = SourceKeys.replacing(in: json) { keys[$0] ?? $0 }
    }
    // As said above.
    return try? MapCacheConfig(json: json)
  }

  private func keep(_ json: JSONValue) throws -> JSONValue {
    let before = try read()
    var content = before ?? Content(salt: Self.newSalt())
    let record = try SourceKeys.replacing(in: json) { key in
      // What was read without its key is written as it was.
      guard !key.hasPrefix(Self.mark) else { return key }
      let mark = try Self.mark(of: key, content.salt)
      content.keys[mark] = key
      return mark
    }
    if content != before ?? Content(salt: content.salt) { try write(content) }
    return record
  }

  // MARK: - Keeping order

  /// Forgets the keys that no record has a mark of; in a transaction of the caller that changes nothing
  /// else.
  func forgetUnused(_ connection: borrowing Connection) throws {
    guard var content = try read(), !content.keys.isEmpty else { return }
    var records = Data()
    let query = try connection.query("SELECT definition FROM source")
    while try query.step() { records += query.blob(at: 0) }
    let used = content.keys.filter { records.range(of: Data($0.key.utf8)) != nil }
    guard used != content.keys else { return }
    content.keys = used
    try write(content)
  }

  /// Takes the keys out of the records of a cache that was written before they were kept apart.
  func moveApart(_ connection: borrowing Connection) throws {
    guard try !recordsWithKeys(connection).isEmpty else { return }
    // The pages must not keep holding them.
    try connection.execute("PRAGMA secure_delete = ON")
    try connection.transaction { connection in
      for (id, json) in try recordsWithKeys(connection) {
        try connection.execute(
          "UPDATE source SET definition = ?2 WHERE id = ?1", .integer(id),
          .blob(try keep(json).encoded()))
      }
    }
    // Nor the log; while others read it stays until they have done.
    let query = try connection.query("PRAGMA wal_checkpoint(TRUNCATE)")
    _ = try query.step()
  }

  private func recordsWithKeys(
    _ connection: borrowing Connection
  ) throws -> [(id: Int64, json: JSONValue)] {
    let query = try connection.query("SELECT id, definition FROM source")
    var found: [(Int64, JSONValue)] = []
    while try query.step() {
      // What cannot be read is left alone.
      guard let json = try? JSONValue(parsing: query.blob(at: 1)) else { continue }
      var hasKeys = false
      _ = SourceKeys.replacing(in: json) { key in
        if !key.hasPrefix(Self.mark) { hasKeys = true }
        return key
      }
      if hasKeys { found.append((query.integer(at: 0), json)) }
    }
    return found
  }

  // MARK: - The file

  private static func mark(of key: String, _ salt: String) throws -> String {
    let digest = try SHA256.hash(Data("\(salt)\(key)".utf8))
    return mark + hexadecimal(digest.prefix(16))
  }

  private static func newSalt() -> String {
    hexadecimal(Data((0..<saltSize).map { _ in UInt8.random(in: 0...255) }))
  }

  private static func hexadecimal(_ bytes: Data) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// What the file holds; `nil` where there is none, or one that cannot be understood.
  private func read() throws -> Content? {
    guard FileSystem.live.exists(url) else { return nil }
    let data = try FileSystem.live.read(url, limit: Self.byteLimit)
    // As said above.
    guard let json = try? JSONValue(parsing: data), let salt = json["salt"]?.string else {
      return nil
    }
    let members = json["keys"]?.object?.members ?? []
    let keys = members.compactMap { member in member.value.string.map { (member.name, $0) } }
    return Content(salt: salt, keys: Dictionary(keys, uniquingKeysWith: { $1 }))
  }

  private func write(_ content: Content) throws {
    let keys = content.keys.sorted { $0.key < $1.key }
    let json: JSONValue = [
      "salt": .string(content.salt),
      "keys": .object(
        JSONObject(keys.map { .init(name: $0.key, value: .string($0.value)) })),
    ]
    try FileSystem.live.write(json.encoded(), to: url, permissions: 0o600)
  }
}
