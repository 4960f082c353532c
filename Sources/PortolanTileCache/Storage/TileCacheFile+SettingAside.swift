internal import Foundation
internal import PortolanFiles

extension TileCacheFile {
  /// What SQLite keeps beside a database.
  static let journals = ["-wal", "-shm", "-journal"]

  /// Moves the file and its journals to unused names.
  func moveAside() throws -> URL {
    let number = lastAside + 1
    guard number <= 1_000 else {
      throw TileCacheError.storage(file: path, reason: "too many damaged caches lie beside it")
    }
    try FileSystem.live.move(url, to: aside(number))
    try clearJournals()
    return aside(number)
  }

  /// Moves journals away whose database is not there any more: beside the next one they would be taken
  /// for its own.
  ///
  /// They belong to what was set aside last, if a crash came between the two moves.
  func clearJournals() throws {
    for suffix in Self.journals {
      let journal = URL(filePath: path + suffix)
      guard FileSystem.live.exists(journal) else { continue }
      var number = max(1, lastAside)
      while FileSystem.live.exists(aside(number, suffix)) { number += 1 }
      try FileSystem.live.move(journal, to: aside(number, suffix))
    }
  }

  /// The files that were set aside, the first of them first, each with the bytes in it and its journals.
  var filesSetAside: [(url: URL, byteCount: Int)] {
    namesSetAside.filter { $0.suffix.isEmpty }.map(\.number).sorted().map { number in
      // What cannot be looked at is there all the same.
      let statuses = ([""] + Self.journals).compactMap { try? FileStatus(at: aside(number, $0)) }
      return (aside(number), statuses.reduce(0) { $0 + $1.byteCount })
    }
  }

  /// Removes what was set aside, unless another process is setting something aside at this moment.
  ///
  /// - Returns: The bytes in it.
  func removeFilesSetAside() throws(TileCacheError) -> Int {
    do {
      let lock = try FileLock.wait(.exclusive, on: .lockFile(URL(filePath: "\(path).locks")))
      defer { lock.release() }
      let byteCount = filesSetAside.reduce(0) { $0 + $1.byteCount }
      for (number, suffix) in namesSetAside { try FileSystem.live.erase(aside(number, suffix)) }
      return byteCount
    } catch {
      throw TileCacheError(error, file: url)
    }
  }

  private func aside(_ number: Int, _ suffix: String = "") -> URL {
    URL(filePath: "\(path).set-aside-\(number)\(suffix)")
  }

  /// The highest number that something has which was set aside; 0 if there is nothing.
  private var lastAside: Int { namesSetAside.map(\.number).max() ?? 0 }

  /// The numbers of what was set aside, with what the names of journals end in.
  private var namesSetAside: [(number: Int, suffix: String)] {
    let start = url.lastPathComponent + ".set-aside-"
    let folder = url.deletingLastPathComponent().path(percentEncoded: false)
    // What cannot be listed is found when something is to be moved there.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.compactMap { name in
      guard name.hasPrefix(start) else { return nil }
      let rest = name.dropFirst(start.count)
      let digits = rest.prefix { $0 != "-" }
      return Int(digits).map { ($0, String(rest.dropFirst(digits.count))) }
    }
  }
}
