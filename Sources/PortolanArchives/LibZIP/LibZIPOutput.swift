internal import CZip
internal import Foundation
internal import PortolanFiles

/// The file that libzip writes an archive to, under a temporary name.
final class LibZIPOutput {
  private var file: StagedFile?
  /// Bytes that were written and are not in the file yet: headers come in pieces of some bytes.
  private var pending = Data()
  /// The offset of the bytes.
  private var start = 0
  private var position = 0
  /// The end of the archive so far.
  private var end = 0
  private var code = ZIP_ER_OK
  /// Why writing failed.
  private(set) var failure: ArchiveError?

  private static let bufferSize = 256 << 10

  init(replacing url: URL) throws(ArchiveError) {
    do { file = try StagedFile(replacing: url) } catch { throw ArchiveError(error) }
  }

  /// Puts the file in its place, durably.
  func commit(replacing replaces: Bool) throws(ArchiveError) {
    do {
      try flush()
      try file.take()?.commit(replacing: replaces)
    } catch {
      throw ArchiveError(error)
    }
  }

  /// Writes bytes where the bytes before have ended, or where libzip has gone since.
  func write(_ data: Data) throws(FileError) {
    let isInside = position >= start && position <= start + pending.count
    if !isInside || pending.count >= Self.bufferSize { try flush() }
    let first = pending.startIndex + position - start
    let overlap = min(pending.endIndex - first, data.count)
    pending.replaceSubrange(first..<first + overlap, with: data)
    position += data.count
    end = max(end, position)
  }

  private func flush() throws(FileError) {
    if !pending.isEmpty { try file?.overwrite(pending, at: start) }
    pending.removeAll(keepingCapacity: true)
    start = position
  }

  /// A source for libzip, which frees it.
  func source() throws(ArchiveError) -> OpaquePointer {
    let context = unsafe Unmanaged.passRetained(self).toOpaque()
    let source = unsafe zip_source_function_create(
      { context, data, length, command in
        guard let context = unsafe context else { return -1 }
        let output = unsafe Unmanaged<LibZIPOutput>.fromOpaque(context)
        guard command == ZIP_SOURCE_FREE else {
          return unsafe output.takeUnretainedValue().answer(command, data, Int(length))
        }
        unsafe output.release()
        return 0
      }, context, nil)
    if let source = unsafe source { return unsafe source }
    unsafe Unmanaged<LibZIPOutput>.fromOpaque(context).release()
    throw .unwritable(file: "The archive", reason: "there is not enough memory")
  }

  private func answer(
    _ command: zip_source_cmd_t, _ data: UnsafeMutableRawPointer?, _ length: Int
  ) -> Int64 {
    switch command {
    // There is nothing to read in a file that begins.
    case ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_TELL, ZIP_SOURCE_SEEK:
      return 0
    case ZIP_SOURCE_BEGIN_WRITE, ZIP_SOURCE_COMMIT_WRITE, ZIP_SOURCE_ROLLBACK_WRITE,
      ZIP_SOURCE_REMOVE:
      return 0
    case ZIP_SOURCE_STAT: return unsafe LibZIPSource.describe(count: 0, in: data, length)
    case ZIP_SOURCE_WRITE:
      return unsafe write(UnsafeRawBufferPointer(start: data, count: length))
    case ZIP_SOURCE_SEEK_WRITE: return unsafe seek(data, length)
    case ZIP_SOURCE_TELL_WRITE: return Int64(position)
    case ZIP_SOURCE_ERROR: return unsafe LibZIPSource.report(code, in: data, length)
    case ZIP_SOURCE_SUPPORTS: return LibZIPSource.bits(LibZIPSource.writing)
    default: return fail(ZIP_ER_OPNOTSUPP)
    }
  }

  private func seek(_ data: UnsafeMutableRawPointer?, _ length: Int) -> Int64 {
    guard let data = unsafe data else { return fail(ZIP_ER_INVAL) }
    let place = unsafe zip_source_seek_compute_offset(
      UInt64(position), UInt64(end), data, UInt64(length), nil)
    guard place >= 0 else { return fail(ZIP_ER_INVAL) }
    position = Int(place)
    return 0
  }

  private func write(_ bytes: UnsafeRawBufferPointer) -> Int64 {
    do {
      try write(unsafe Data(bytes))
      return Int64(bytes.count)
    } catch {
      failure = failure ?? ArchiveError(error)
      return fail(ZIP_ER_WRITE)
    }
  }

  private func fail(_ code: Int32) -> Int64 {
    self.code = code
    return -1
  }
}
