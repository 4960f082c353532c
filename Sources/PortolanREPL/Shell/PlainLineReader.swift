public import Foundation
internal import Synchronization

/// Reads lines from a pipe, a file or a device, without a prompt.
///
/// Reading blocks, so it has a queue of its own: neither the main actor nor the cooperative pool
/// ever waits. A dispatch source would not do: it never fires for `/dev/null`.
public final class PlainLineReader: LineReader {
  private struct State {
    var buffer = Data()
    var isAtEnd = false
    /// The number of bytes of the buffer that are known to contain no end of a line.
    var searchedCount = 0
  }

  /// The longest line, in bytes; an input with a longer one is no list of commands and ends there.
  private static let longestLine = 1 << 20

  private let input: FileHandle
  private let queue = DispatchQueue(label: "PortolanREPL.PlainLineReader")
  private let state = Mutex(State())

  public let isInteractive = false

  /// Creates a reader.
  public init(_ input: FileHandle = .standardInput) { self.input = input }

  public func nextLine(prompt: String) async -> LineEvent {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: self.readLine()) }
    }
  }

  private func readLine() -> LineEvent {
    while true {
      if let line = takeLine() { return .line(line) }
      guard !state.withLock(\.isAtEnd) else { return .end }
      let piece = read()
      state.withLock { state in
        state.buffer.append(piece)
        state.isAtEnd = piece.isEmpty || state.buffer.count > Self.longestLine
      }
    }
  }

  /// The next bytes, none at the end.
  private func read() -> Data {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe Foundation.read(input.fileDescriptor, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      // An input that cannot be read, such as a folder, has no lines.
      return Data(bytes.prefix(max(count, 0)))
    }
  }

  private func takeLine() -> String? {
    state.withLock { state in
      let unsearched = state.buffer.dropFirst(state.searchedCount)
      state.searchedCount = state.buffer.count
      if let end = unsearched.firstIndex(of: UInt8(ascii: "\n")) {
        let line = state.buffer[..<end]
        state.searchedCount = 0
        state.buffer = Data(state.buffer[(end + 1)...])
        return String(decoding: line, as: UTF8.self)
      }
      guard state.isAtEnd, !state.buffer.isEmpty else { return nil }
      defer { state.buffer = Data() }
      return String(decoding: state.buffer, as: UTF8.self)
    }
  }
}
