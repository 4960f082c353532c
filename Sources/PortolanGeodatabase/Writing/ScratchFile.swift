internal import Foundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Values in an unlinked file, which vanishes with its last user.
final class ScratchFile<Element: BitwiseCopyable> {
  private let descriptor: Int32
  private let folder: URL
  /// How many values there are.
  private(set) var count = 0

  /// Makes an empty file on the disk that a folder is on.
  init(in folder: URL) throws(GeodatabaseWriterError) {
    let name = ".\(UUID().uuidString).scratch"
    let path = folder.appending(path: name).path(percentEncoded: false)
    #if canImport(Glibc)
      descriptor = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
    #elseif canImport(Darwin)
      descriptor = unsafe Darwin.open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
    #endif
    self.folder = folder
    guard descriptor >= 0 else { throw Self.failure(folder) }
    unsafe _ = unlink(path)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Adds values at the end.
  func append(_ values: [Element]) throws(GeodatabaseWriterError) {
    let start = count * MemoryLayout<Element>.stride
    let isWritten = unsafe values.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
        let written = unsafe pwrite(descriptor, rest.baseAddress, rest.count, start + done)
        if written < 0 && errno == EINTR { continue }
        guard written > 0 else { return false }
        done += written
      }
      return true
    }
    guard isWritten else { throw Self.failure(folder) }
    count += values.count
  }

  /// The values at those places.
  func values(_ range: Range<Int>) throws(GeodatabaseWriterError) -> [Element] {
    let stride = MemoryLayout<Element>.stride
    let start = range.lowerBound * stride
    let values = unsafe [Element](unsafeUninitializedCapacity: range.count) { buffer, filled in
      let bytes = UnsafeMutableRawBufferPointer(buffer)
      var done = 0
      while done < range.count * stride {
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[done...])
        let got = unsafe pread(
          descriptor, rest.baseAddress, range.count * stride - done, start + done)
        if got < 0 && errno == EINTR { continue }
        guard got > 0 else { break }
        done += got
      }
      filled = done / stride
    }
    guard values.count == range.count else { throw Self.failure(folder) }
    return values
  }

  private static func failure(_ folder: URL) -> GeodatabaseWriterError {
    .notWritable(
      file: folder.path(percentEncoded: false), reason: unsafe String(cString: strerror(errno)))
  }
}
