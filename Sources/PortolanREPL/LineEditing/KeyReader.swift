internal import Foundation

/// Reads what is typed at standard input, one character at a time.
struct KeyReader {
  /// An event to read.
  enum Event {
    case key
    /// An event at the other descriptor.
    case other
    case end
  }

  /// Waits until a key was pressed or another descriptor can be read from; the latter comes first.
  func wait(besides other: Int32) -> Event {
    while true {
      var requests = [
        pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
        pollfd(fd: other, events: Int16(POLLIN), revents: 0),
      ]
      let count = unsafe poll(&requests, nfds_t(requests.count), -1)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return .end }
      if requests[1].revents & Int16(POLLIN) != 0 { return .other }
      return .key
    }
  }

  /// Reads a character in UTF-8, U+FFFD for what is none; `nil` at the end of input.
  func read() -> Unicode.Scalar? {
    guard let first = readByte() else { return nil }
    let length =
      switch first {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 1
      }
    var bytes = [first]
    while bytes.count < length, let byte = readByte() { bytes.append(byte) }
    return String(decoding: bytes, as: UTF8.self).unicodeScalars.first
  }

  private func readByte() -> UInt8? {
    var byte: UInt8 = 0
    while true {
      let count = unsafe Foundation.read(STDIN_FILENO, &byte, 1)
      if count < 0, errno == EINTR { continue }
      return count == 1 ? byte : nil
    }
  }
}
