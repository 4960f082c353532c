internal import CSQLite

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// An open ``FileRegion``, in the memory that SQLite set aside for it.
///
/// SQLite sees a plain file that begins at `offset`. It is read only and never changes, so
/// locks and syncs have nothing to do.
///
/// - SeeAlso: [The OS Backend (VFS)](https://www.sqlite.org/vfs.html)
@unsafe
struct RegionFile {
  /// Where SQLite looks for the calls; must stay the first field.
  var base: sqlite3_file
  let descriptor: Int32
  let offset: Int
  let length: Int
  /// How many bytes SQLite may map; 0 where everything goes through ``read(_:at:)``.
  var mapLimit: sqlite3_int64 = 0
  /// The region in memory, once SQLite has asked for a page of it.
  var mapping: UnsafeMutableRawPointer?
  /// How far the mapping begins before the region, which need not begin on a page.
  var mappingSlack: Int = 0

  init(descriptor: Int32, offset: Int, length: Int) {
    unsafe base = sqlite3_file(pMethods: RegionFileSystem.methods)
    unsafe self.descriptor = descriptor
    unsafe self.offset = offset
    unsafe self.length = length
  }

  /// Opens a region for reading; `nil` if it does not lie inside a regular file.
  static func open(_ path: UnsafePointer<CChar>, offset: Int, length: Int) -> RegionFile? {
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    let (end, isTooLong) = offset.addingReportingOverflow(length)
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      offset >= 0, length > 0, !isTooLong, end <= Int(status.st_size)
    else {
      Glibc.close(descriptor)
      return nil
    }
    return unsafe RegionFile(descriptor: descriptor, offset: offset, length: length)
  }

  /// The region behind what SQLite hands back.
  static func at(
    _ file: UnsafeMutablePointer<sqlite3_file>?
  ) -> UnsafeMutablePointer<RegionFile>? {
    unsafe UnsafeMutableRawPointer(file)?.assumingMemoryBound(to: RegionFile.self)
  }

  mutating func close() {
    if let mapping = unsafe mapping { unsafe munmap(mapping, mappingSlack + length) }
    unsafe mapping = nil
    unsafe Glibc.close(descriptor)
  }

  /// Fills `buffer` from `position`; past the end with zeros, which SQLite counts on.
  func read(_ buffer: UnsafeMutableRawBufferPointer, at position: Int) -> Int32 {
    var done = 0
    let available = unsafe position < length ? min(buffer.count, length - position) : 0
    while done < available {
      let count = unsafe pread(
        descriptor, buffer.baseAddress?.advanced(by: done), available - done,
        offset + position + done)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { break }
      done += count
    }
    guard done < buffer.count else { return SQLITE_OK }
    unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...]).initializeMemory(
      as: UInt8.self, repeating: 0)
    return done < available ? csqlite_ioerr_read : csqlite_ioerr_short_read
  }

  /// The address of `count` bytes at `position`, or `nil` where SQLite had better read them.
  mutating func fetch(_ count: Int, at position: Int) -> UnsafeMutableRawPointer? {
    let isInside = unsafe position >= 0 && position + count <= min(length, Int(mapLimit))
    guard isInside, unsafe mapping != nil || map() else { return nil }
    return unsafe mapping?.advanced(by: mappingSlack + position)
  }

  private mutating func map() -> Bool {
    unsafe mappingSlack = offset % Int(getpagesize())
    let address = unsafe mmap(
      nil, mappingSlack + length, PROT_READ, MAP_SHARED, descriptor, offset - mappingSlack)
    guard let address = unsafe address, unsafe address != MAP_FAILED else {
      unsafe mapLimit = 0
      return false
    }
    unsafe mapping = address
    return true
  }
}
