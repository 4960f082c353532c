internal import PortolanTransport
internal import Synchronization

/// A request on its way to the event thread.
struct CurlJob: Sendable {
  let request: HTTPRequest
  let sink: any HTTPBodySink
  let cancellation: CurlCancellation
  private let continuation: CheckedContinuation<Result<HTTPResponseHead, TransportError>, Never>

  init(
    _ request: HTTPRequest, into sink: any HTTPBodySink, cancellation: CurlCancellation,
    _ continuation: CheckedContinuation<Result<HTTPResponseHead, TransportError>, Never>
  ) {
    self.request = request
    self.sink = sink
    self.cancellation = cancellation
    self.continuation = continuation
  }

  /// Names the job as long as it lasts.
  var id: ObjectIdentifier { ObjectIdentifier(cancellation) }

  /// Hands the result to who waits for it; called once.
  func finish(_ result: Result<HTTPResponseHead, TransportError>) {
    continuation.resume(returning: result)
  }
}

/// Remembers that a task was cancelled, even before its job has begun.
final class CurlCancellation: Sendable {
  private let flag = Atomic(false)

  var isRequested: Bool { flag.load(ordering: .acquiring) }

  func request() { flag.store(true, ordering: .releasing) }
}
