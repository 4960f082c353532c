internal import Foundation
internal import Glibc
internal import PortolanSQLite

/// The state of the file that a side index was made of: as long as it is the same, nobody has
/// written to the file.
struct SideIndexSource: Hashable, Sendable {
  /// The numbers, in the order in which the header has them.
  ///
  /// Device, file number, size, times of the last change of its content and of its entry in
  /// seconds and nanoseconds, where the database begins in it and how long it is (0 and 0 for the
  /// whole file), and the database's own count of changes with that of its schema, for writes that
  /// follow each other faster than the clock of the file system ticks.
  let numbers: [UInt64]

  /// How many numbers there are.
  static let count = 10

  init(numbers: [UInt64]) { self.numbers = numbers }

  /// Looks at a file; `nil` if there is none, or changes wait beside it.
  init?(_ location: GeodatabaseLocation) {
    let path = location.name
    guard !["-wal", "-journal"].contains(where: { unsafe access(path + $0, F_OK) == 0 }) else {
      return nil
    }
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    var place: (offset: Int64, length: Int64) = (0, 0)
    if case .region(let region) = location {
      place = (Int64(region.offset), Int64(region.length))
    }
    guard let changes = Self.changes(descriptor, at: Int(place.offset)) else { return nil }
    let times = [
      status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
    ]
    numbers =
      [UInt64(status.st_dev), UInt64(status.st_ino), UInt64(bitPattern: Int64(status.st_size))]
      + times.map { UInt64(bitPattern: Int64($0)) }
      + [UInt64(bitPattern: place.offset), UInt64(bitPattern: place.length), changes]
  }

  /// The change counter and the schema cookie.
  ///
  /// - SeeAlso: [The Database Header](https://www.sqlite.org/fileformat2.html#the_database_header)
  private static func changes(_ descriptor: Int32, at offset: Int) -> UInt64? {
    var header = [UInt8](repeating: 0, count: 44)
    let count = unsafe pread(descriptor, &header, header.count, offset)
    guard count == header.count else { return nil }
    return (header[24..<28] + header[40..<44]).reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension SideIndexSource {
  private static let offsetPlace = 7
  private static let lengthPlace = 8

  /// What stays the same while the file is written to: the disk, the file, the place in it.
  var fileNumbers: [UInt64] {
    guard numbers.count == Self.count else { return [] }
    return [numbers[0], numbers[1], numbers[Self.offsetPlace]]
  }

  /// Whether the file of that path is in this state still.
  func isStateOfFile(at path: String) -> Bool {
    guard numbers.count == Self.count else { return false }
    let url = URL(filePath: path)
    let (offset, length) = (numbers[Self.offsetPlace], numbers[Self.lengthPlace])
    guard length > 0 else { return SideIndexSource(.file(url)) == self }
    guard let offset = Int(exactly: offset), let length = Int(exactly: length) else {
      return false
    }
    return SideIndexSource(.region(FileRegion(url: url, offset: offset, length: length))) == self
  }
}
