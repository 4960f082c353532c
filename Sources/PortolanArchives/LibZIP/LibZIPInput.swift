internal import CZip
internal import Foundation
internal import Synchronization

/// Bytes as libzip asks for them: those of an archive that is read, or of an entry that is written.
final class LibZIPInput: Sendable {
  /// The location of the bytes.
  enum Content: Sendable {
    case source(any ByteSource)
    /// A file of so many bytes, which is opened when they are needed: an archive can take more files
    /// than a process can have open.
    case file(URL, count: Int)
  }

  private let content: Content
  /// How many bytes there are.
  let count: Int
  private let state = Mutex(State())

  private struct State {
    var source: (any ByteSource)?
    var position = 0
    var window = Window()
    var code = ZIP_ER_OK
    var failure: ArchiveError?
    var reads: Range<Int>?
  }

  /// Some bytes that were read ahead: libzip reads a directory in pieces of some forty bytes.
  private struct Window {
    static let size = 64 << 10
    static let largestPiece = 4 << 10
    var start = 0
    var bytes = Data()

    func holds(_ range: Range<Int>) -> Bool {
      range.lowerBound >= start && range.upperBound <= start + bytes.count
    }
  }

  init(_ content: Content) {
    self.content = content
    switch content {
    case .source(let source): count = source.count
    case .file(_, let count): self.count = count
    }
  }

  /// Why reading failed, where it was not libzip's fault.
  var failure: ArchiveError? { state.withLock { $0.failure } }

  /// From the first byte to the last that libzip has asked for since ``mark()``.
  var reads: Range<Int>? { state.withLock { $0.reads } }

  /// Forgets what libzip has asked for so far.
  func mark() { state.withLock { $0.reads = nil } }

  /// A source for libzip, which frees it.
  func source() throws(ArchiveError) -> OpaquePointer {
    let context = unsafe Unmanaged.passRetained(self).toOpaque()
    let source = unsafe zip_source_function_create(
      { context, data, length, command in
        guard let context = unsafe context else { return -1 }
        let input = unsafe Unmanaged<LibZIPInput>.fromOpaque(context)
        guard command == ZIP_SOURCE_FREE else {
          return unsafe input.takeUnretainedValue().answer(command, data, Int(length))
        }
        unsafe input.release()
        return 0
      }, context, nil)
    if let source = unsafe source { return unsafe source }
    unsafe Unmanaged<LibZIPInput>.fromOpaque(context).release()
    throw .unreadable(file: name, reason: "there is not enough memory")
  }

  private var name: String {
    switch content {
    case .source(let source): source.name
    case .file(let url, _): url.path(percentEncoded: false)
    }
  }

  private func answer(
    _ command: zip_source_cmd_t, _ data: UnsafeMutableRawPointer?, _ length: Int
  ) -> Int64 {
    switch command {
    case ZIP_SOURCE_OPEN: return open()
    case ZIP_SOURCE_READ:
      return unsafe read(into: UnsafeMutableRawBufferPointer(start: data, count: length))
    case ZIP_SOURCE_CLOSE: return close()
    case ZIP_SOURCE_STAT: return unsafe LibZIPSource.describe(count: count, in: data, length)
    case ZIP_SOURCE_SEEK: return unsafe seek(data, length)
    case ZIP_SOURCE_TELL: return Int64(state.withLock { $0.position })
    case ZIP_SOURCE_ERROR:
      let code = state.withLock { $0.code }
      return unsafe LibZIPSource.report(code, in: data, length)
    case ZIP_SOURCE_SUPPORTS: return LibZIPSource.bits(LibZIPSource.reading)
    default: return fail(ZIP_ER_OPNOTSUPP)
    }
  }

  private func open() -> Int64 {
    do {
      let source = try opened()
      state.withLock { state in
        state.source = source
        state.position = 0
      }
      return 0
    } catch {
      return fail(error)
    }
  }

  private func opened() throws(ArchiveError) -> any ByteSource {
    switch content {
    case .source(let source): return source
    case .file(let url, let count):
      let source = try FileByteSource(at: url)
      guard source.count == count else {
        throw .unreadable(file: source.name, reason: "its size has changed meanwhile")
      }
      return source
    }
  }

  private func close() -> Int64 {
    state.withLock { state in
      state.source = nil
      state.window = Window()
    }
    return 0
  }

  private func seek(_ data: UnsafeMutableRawPointer?, _ length: Int) -> Int64 {
    guard let data = unsafe data else { return fail(ZIP_ER_INVAL) }
    let position = state.withLock { $0.position }
    let place = unsafe zip_source_seek_compute_offset(
      UInt64(position), UInt64(count), data, UInt64(length), nil)
    guard place >= 0 else { return fail(ZIP_ER_INVAL) }
    state.withLock { $0.position = Int(place) }
    return 0
  }

  private func read(into buffer: UnsafeMutableRawBufferPointer) -> Int64 {
    let (source, start) = state.withLock { ($0.source, $0.position) }
    let range = start..<min(start + buffer.count, max(count, start))
    do throws(ArchiveError) {
      guard !Task.isCancelled else { throw .cancelled }
      guard let source else { throw .truncated(file: name, offset: start) }
      if !range.isEmpty { try unsafe copy(range, of: source, to: buffer) }
    } catch {
      return fail(error)
    }
    state.withLock { state in
      let reads = state.reads ?? range
      state.reads =
        min(reads.lowerBound, range.lowerBound)..<max(reads.upperBound, range.upperBound)
      state.position = range.upperBound
    }
    return Int64(range.count)
  }

  private func copy(
    _ range: Range<Int>, of source: any ByteSource, to buffer: UnsafeMutableRawBufferPointer
  ) throws(ArchiveError) {
    guard range.count <= Window.largestPiece else {
      return try unsafe source.withBytes(in: range) { bytes throws(ArchiveError) in
        unsafe buffer.copyMemory(from: bytes)
      }
    }
    var window = state.withLock { $0.window }
    if !window.holds(range) {
      let end = min(range.lowerBound + Window.size, count)
      window = Window(
        start: range.lowerBound, bytes: try source.read(range.lowerBound..<end))
      let filled = window
      state.withLock { $0.window = filled }
    }
    let first = window.bytes.startIndex + range.lowerBound - window.start
    unsafe window.bytes.copyBytes(to: buffer, from: first..<first + range.count)
  }

  private func fail(_ failure: ArchiveError) -> Int64 {
    state.withLock { $0.failure = $0.failure ?? failure }
    return fail(failure == .cancelled ? ZIP_ER_CANCELLED : ZIP_ER_READ)
  }

  private func fail(_ code: Int32) -> Int64 {
    state.withLock { $0.code = code }
    return -1
  }
}
