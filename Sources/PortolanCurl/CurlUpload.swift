internal import Foundation
internal import PortolanTransport

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The body of a request while it is sent.
@safe
final class CurlUpload {
  private enum Source {
    case bytes(Data)
    case file(Int32)
  }

  private let source: Source
  /// How many bytes it has.
  let count: Int
  private var position = 0

  /// Opens what is to be sent.
  init(_ body: HTTPRequest.Body) throws(TransportError) {
    switch body {
    case .bytes(let data):
      source = .bytes(data)
      count = data.count
    case .file(let url):
      let path = url.path(percentEncoded: false)
      let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard descriptor >= 0 else { throw Self.failure(path) }
      var status = stat()
      guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        let failure = Self.failure(path)
        close(descriptor)
        throw failure
      }
      source = .file(descriptor)
      count = Int(status.st_size)
    }
  }

  deinit {
    if case .file(let descriptor) = source { close(descriptor) }
  }

  /// Fills `buffer` with the next bytes.
  ///
  /// - Returns: How many there were, 0 at the end; `nil` if they cannot be read.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    // A file that grows meanwhile is sent as long as it was.
    let wanted = min(buffer.count, count - position)
    guard wanted > 0 else { return 0 }
    switch source {
    case .bytes(let data):
      let start = data.startIndex + position
      unsafe data.copyBytes(to: buffer, from: start..<(start + wanted))
      position += wanted
      return wanted
    case .file(let descriptor):
      let read = unsafe pread(descriptor, buffer.baseAddress, wanted, position)
      guard read > 0 else { return nil }
      position += read
      return read
    }
  }

  /// Goes to a place, when what was sent must be sent again.
  func seek(to offset: Int) -> Bool {
    guard 0...count ~= offset else { return false }
    position = offset
    return true
  }

  private static func failure(_ path: String) -> TransportError {
    .unreadable(file: path, reason: unsafe String(cString: strerror(errno)))
  }
}
