internal import CZip

/// The parts that all libzip sources in Swift have in common, and how archives are opened over
/// them.
enum LibZIPSource {
  /// The commands of a source that can be read from any place.
  static let reading = [
    ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR,
    ZIP_SOURCE_FREE, ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL, ZIP_SOURCE_SUPPORTS,
  ]

  /// The commands of a source that can be written too.
  static let writing =
    reading + [
      ZIP_SOURCE_BEGIN_WRITE, ZIP_SOURCE_COMMIT_WRITE, ZIP_SOURCE_ROLLBACK_WRITE,
      ZIP_SOURCE_WRITE, ZIP_SOURCE_SEEK_WRITE, ZIP_SOURCE_TELL_WRITE, ZIP_SOURCE_REMOVE,
    ]

  /// Commands as the bits that libzip asks for.
  static func bits(_ commands: [zip_source_cmd_t]) -> Int64 {
    commands.reduce(0) { $0 | 1 << Int64($1.rawValue) }
  }

  /// Answers how many bytes a source has; -1 if the answer does not fit.
  static func describe(
    count: Int, in data: UnsafeMutableRawPointer?, _ length: Int
  ) -> Int64 {
    guard let data = unsafe data, unsafe length >= MemoryLayout<zip_stat_t>.size else { return -1 }
    let status = unsafe data.assumingMemoryBound(to: zip_stat_t.self)
    unsafe zip_stat_init(status)
    unsafe status.pointee.size = UInt64(count)
    unsafe status.pointee.valid = UInt64(ZIP_STAT_SIZE)
    return unsafe Int64(MemoryLayout<zip_stat_t>.size)
  }

  /// Answers which error the last command failed with; -1 if the answer does not fit.
  static func report(
    _ code: Int32, in data: UnsafeMutableRawPointer?, _ length: Int
  ) -> Int64 {
    let size = MemoryLayout<Int32>.size
    guard let data = unsafe data, length >= 2 * size else { return -1 }
    unsafe data.storeBytes(of: code, as: Int32.self)
    unsafe data.storeBytes(of: 0, toByteOffset: size, as: Int32.self)
    return Int64(2 * size)
  }

  /// Opens an archive over a source, which libzip frees, also if it refuses it.
  ///
  /// - Returns: The archive, or `nil` and libzip's reason.
  static func open(
    _ source: OpaquePointer, _ flags: Int32
  ) -> (archive: OpaquePointer?, reason: String) {
    let error = UnsafeMutablePointer<zip_error_t>.allocate(capacity: 1)
    unsafe zip_error_init(error)
    defer {
      unsafe zip_error_fini(error)
      unsafe error.deallocate()
    }
    if let archive = unsafe zip_open_from_source(source, flags, error) {
      return unsafe (archive, "")
    }
    unsafe zip_source_free(source)
    return unsafe (nil, String(cString: zip_error_strerror(error)))
  }
}
