internal import Foundation
internal import Glibc

/// A file that pages are read from; closed when the last user goes.
///
/// Pages come through system calls, so that a file which another program cuts gives an error and
/// not the end of the process. Those read last are kept.
final class PageFile {
  let header: DatabaseHeader
  private let descriptor: Int32
  private var kept: [Int: [UInt8]] = [:]
  /// How many more pages with the rest of a row are read.
  private var continuationsLeft: Int

  /// How many bytes of pages are kept.
  private static let keptSize = 4 << 20

  /// The most pages with the rest of a row that are read: of rows as long as that SQLite reads more.
  private static let mostContinuations = 200_000

  /// The first read, which mostly holds the first page whole.
  private static let firstReadSize = 4_096

  /// Opens a file that nobody has left changes beside.
  init(at url: URL) throws(PageError) {
    let path = url.path(percentEncoded: false)
    guard !["-wal", "-journal"].contains(where: { unsafe access(path + $0, F_OK) == 0 }) else {
      throw .unusual
    }
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .unreadable }
    do throws(PageError) {
      var status = stat()
      guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        throw PageError.unreadable
      }
      let first = try Self.read(Self.firstReadSize, at: 0, from: descriptor)
      header = try DatabaseHeader(
        PageBytes(first[...], page: 1), fileSize: Int(status.st_size))
      if first.count >= header.pageSize { kept[1] = Array(first.prefix(header.pageSize)) }
    } catch {
      Glibc.close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    // Some rows are read several times; pages that lead in a circle come to an end.
    continuationsLeft = min(Self.mostContinuations, 1_000 + 4 * header.pageCount)
  }

  deinit { Glibc.close(descriptor) }

  /// The content of a page, counted from 1.
  func page(_ number: Int) throws(PageError) -> PageBytes {
    guard (1...header.pageCount).contains(number) else { throw .damaged(page: number) }
    if let bytes = kept[number] {
      return PageBytes(bytes.prefix(header.usableSize), page: number)
    }
    let offset = (number - 1) * header.pageSize
    let bytes = try Self.read(header.pageSize, at: offset, from: descriptor)
    guard bytes.count == header.pageSize else { throw .damaged(page: number) }
    if kept.count >= Self.keptSize / header.pageSize { kept.removeAll(keepingCapacity: true) }
    kept[number] = bytes
    return PageBytes(bytes.prefix(header.usableSize), page: number)
  }

  /// The content of a page with more of a row that does not fit its own page.
  func continuationPage(_ number: Int) throws(PageError) -> PageBytes {
    continuationsLeft -= 1
    guard continuationsLeft >= 0 else { throw .unusual }
    return try page(number)
  }

  /// The bytes at a place, fewer where the file ends.
  private static func read(
    _ count: Int, at offset: Int, from descriptor: Int32
  ) throws(PageError) -> [UInt8] {
    var isRead = true
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
      while done < count {
        let rest = unsafe UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[done...])
        let got = unsafe pread(descriptor, rest.baseAddress, rest.count, offset + done)
        if got < 0 && errno == EINTR { continue }
        isRead = got >= 0
        guard got > 0 else { return }
        done += got
      }
    }
    guard isRead else { throw .unreadable }
    return bytes
  }
}
