import Foundation
import PortolanLocks
import PortolanTransport

/// Lets a process end at a request: from then on nothing is answered, and the file is as it was then.
final class KillingTransport: HTTPTransport {
  private let inner: any HTTPTransport
  private let file: URL
  private let isHeard: Bool
  /// The number of requests that are still answered, and the files as the process has left them.
  private let state: Locked<(left: Int, files: [URL: Data?]?)>

  /// Ends the process after so many answers; the server hears the request that is not answered, or
  /// does not.
  init(_ inner: any HTTPTransport, file: URL, after count: Int, isHeard: Bool) {
    self.inner = inner
    self.file = file
    self.isHeard = isHeard
    state = Locked((left: count, files: nil))
  }

  func send(
    _ request: HTTPRequest, into sink: any HTTPBodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    let (isAlive, isFirst) = state.withLock { state -> (Bool, Bool) in
      guard state.left == 0 else {
        state.left -= 1
        return (true, false)
      }
      guard state.files == nil else { return (false, false) }
      // With a journal beside it, the file is what was committed.
      state.files = Dictionary(
        uniqueKeysWithValues: ["", "-journal", "-wal"].map { suffix in
          let url = file.deletingLastPathComponent()
            .appending(path: file.lastPathComponent + suffix)
          // Most often there is no journal.
          return (url, try? Data(contentsOf: url))
        })
      return (false, true)
    }
    if isAlive { return try await inner.send(request, into: sink) }
    if isFirst, isHeard { _ = try await inner.send(request, into: DeafSink()) }
    throw .interrupted(request.url.absoluteString, reason: "the process has ended")
  }

  /// Puts the file back as the process has left it.
  func restore() throws {
    for (url, data) in state.withLock({ $0.files ?? [:] }) {
      if let data {
        try data.write(to: url)
      } else if FileManager.default.fileExists(atPath: url.path(percentEncoded: false)) {
        try FileManager.default.removeItem(at: url)
      }
    }
  }
}

/// Takes a body that nobody reads.
private final class DeafSink: HTTPBodySink {
  func begin(_ head: HTTPResponseHead) throws(TransportError) {}
  func receive(_ bytes: RawSpan) throws(TransportError) {}
}
