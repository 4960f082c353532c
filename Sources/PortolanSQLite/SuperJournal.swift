internal import CSQLite
internal import Foundation

/// The end of a rollback journal, which may name a journal of its own for a transaction over
/// several files.
///
/// SQLite reads the named file when it rolls back, and deletes it afterwards. A journal that came
/// with a package from elsewhere could name any file of this user.
///
/// - SeeAlso: [The super-journal name](https://www.sqlite.org/fileformat2.html#the_rollback_journal)
enum SuperJournal {
  private static let magic = Data([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])

  /// Refuses a file whose journal names another file.
  ///
  /// - Parameter file: The path of the database.
  /// - Throws: ``DatabaseError`` with the code `corrupt`.
  static func refuse(besides file: String) throws(DatabaseError) {
    guard let end = end(of: target(of: file) + "-journal"), end.suffix(8) == magic,
      end.prefix(4).contains(where: { $0 != 0 })
    else { return }
    throw DatabaseError(
      extendedCode: SQLITE_CORRUPT,
      message: "its journal belongs to a transaction over several files", sql: nil, file: file)
  }

  /// The target of a link, since SQLite looks beside the file itself.
  private static func target(of file: String) -> String {
    var kind = stat()
    guard unsafe lstat(file, &kind) == 0, kind.st_mode & S_IFMT == S_IFLNK else { return file }
    return URL(filePath: file).resolvingSymlinksInPath().path(percentEncoded: false)
  }

  /// The last 16 bytes: the length of the name, its checksum and the magic number.
  private static func end(of journal: String) -> Data? {
    var kind = stat()
    // A journal that cannot be looked at is for SQLite to refuse.
    guard unsafe stat(journal, &kind) == 0, kind.st_mode & S_IFMT == S_IFREG, kind.st_size >= 16,
      let file = FileHandle(forReadingAtPath: journal)
    else { return nil }
    defer { try? file.close() }  // It was only read.
    do {
      try file.seek(toOffset: UInt64(kind.st_size) - 16)
      return try file.read(upToCount: 16)
    } catch {
      return nil
    }
  }
}
