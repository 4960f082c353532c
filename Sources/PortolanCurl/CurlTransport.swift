internal import Foundation
public import PortolanTransport

/// The live transport over libcurl.
///
/// All transfers run on one thread, which starts with the first request; connections are kept and
/// used again, and over TLS many requests share one (HTTP/2). Sinks are called on that thread, but
/// for those that may wait for a disk (``HTTPBodySink/mayBlock``): each of these has a queue of its
/// own, and its transfer pauses while it is behind. It does not follow redirects and repeats
/// nothing: decorators of PortolanTransport do (``LiveTransport``). Certificates are always
/// verified, but for the hosts that ``CurlConfiguration/unverifiedHosts`` names.
public final class CurlTransport: HTTPTransport {
  private let configuration: CurlConfiguration
  private let mailbox = CurlMailbox()

  /// Creates a transport; it connects to nothing before the first request.
  public init(_ configuration: CurlConfiguration) { self.configuration = configuration }

  /// Every request holds the transport, so that none is under way when it goes.
  deinit { _ = mailbox.put(.close) }

  public func send(
    _ request: HTTPRequest, into sink: any HTTPBodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    guard let scheme = request.url.scheme?.lowercased(), ["http", "https"].contains(scheme),
      request.url.host()?.isEmpty == false
    else { throw .badAddress(request.address) }
    let cancellation = CurlCancellation()
    let result: Result<HTTPResponseHead, TransportError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        start(CurlJob(request, into: sink, cancellation: cancellation, continuation))
      }
    } onCancel: {
      cancellation.request()
      _ = mailbox.put(.cancel(ObjectIdentifier(cancellation)))
    }
    return try result.get()
  }

  /// Ends all transfers, closes all connections and frees the thread.
  ///
  /// Requests after that are ``TransportError/cancelled``.
  public func close() async {
    _ = mailbox.put(.close)
    await mailbox.ended()
  }

  private func start(_ job: CurlJob) {
    switch mailbox.put(.start(job)) {
    case .taken: break
    case .refused: job.finish(.failure(.cancelled))
    case .needsThread:
      let (mailbox, configuration) = (mailbox, configuration)
      let thread = Thread { CurlLoop.run(mailbox, configuration) }
      thread.name = "PortolanCurl"
      thread.start()
    }
  }
}
