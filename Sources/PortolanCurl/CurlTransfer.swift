internal import CCurl
internal import Foundation
internal import PortolanTransport

/// A request in progress; it lives on the event thread.
@safe
final class CurlTransfer {
  /// The instruction to libcurl after a piece of the body.
  enum Reception {
    case proceed
    /// Offer the piece again later.
    case pause
    case stop
  }

  let job: CurlJob
  let handle: CurlHandle
  private let upload: CurlUpload?
  private var reader: ResponseHeadReader
  private var watch: TransferWatch
  private var head: HTTPResponseHead?
  /// Between libcurl and a sink that may wait for a disk.
  private let sinkQueue: SinkQueue?
  /// Whether libcurl holds a piece back until the sink can take it.
  private(set) var isPaused = false
  /// The error that ended the transfer from our side.
  private(set) var failure: TransportError?

  /// Prepares `handle` for the request of `job`.
  ///
  /// `onSinkChange` is called from any thread when ``sinkChanged()`` has something to do.
  init(
    _ job: CurlJob, on handle: CurlHandle, _ configuration: CurlConfiguration,
    onSinkChange: @escaping @Sendable () -> Void
  ) throws(TransportError) {
    self.job = job
    self.handle = handle
    upload = if let body = job.request.body { try CurlUpload(body) } else { nil }
    reader = ResponseHeadReader(for: job.request, limit: configuration.headerLimit)
    watch = TransferWatch(job.request.timeouts, now: .now)
    sinkQueue = job.sink.mayBlock ? SinkQueue(job.sink, onChange: onSinkChange) : nil
    CurlRequestOptions(request: job.request, configuration: configuration)
      .apply(to: handle, bodyCount: upload?.count)
    CurlCallbacks.connect(self, to: handle)
  }

  /// When the transfer counts as failed if nothing more happens; `nil` if nothing limits it now.
  var deadline: ContinuousClock.Instant? { watch.deadline }

  /// The error of a transfer that has passed its deadline.
  var timeout: TransportError { .timedOut(job.request.address, phase: watch.missed(at: .now)) }

  /// Reports the result to who waits for it, once the sink has everything that arrived.
  func finish(_ result: Result<HTTPResponseHead, TransportError>) {
    guard let sinkQueue else { return job.finish(result) }
    let job = job
    sinkQueue.finish { failure in
      // A cancelled transfer ends as cancelled, whatever the sink says.
      if let failure, result != .failure(.cancelled) { return job.finish(.failure(failure)) }
      job.finish(result)
    }
  }

  /// Continues with a transfer that has waited for its sink.
  ///
  /// - Returns: Why the sink refused what it was given, which ends the transfer.
  func sinkChanged() -> TransportError? {
    if let failure = sinkQueue?.failure { return failure }
    if isPaused {
      isPaused = false
      watch.answering(at: .now)
      handle.resume()
    }
    return nil
  }

  /// The result, by libcurl's word.
  func result(_ code: CURLcode) -> Result<HTTPResponseHead, TransportError> {
    if let failure { return .failure(failure) }
    guard code == CURLE_OK else {
      let failure = CurlFailure(code: code, message: handle.failure, request: job.request)
      return .failure(failure.error)
    }
    guard let head else {
      return .failure(.malformed(job.request.address, reason: "it has no headers"))
    }
    return .success(head)
  }

  // MARK: What libcurl reports

  /// The connection stands.
  func connected() { watch.connected(at: .now) }

  /// A line of the head; whether to continue.
  func receive(headLine line: UnsafeRawBufferPointer) -> Bool {
    // What comes after the body is no part of the head.
    guard head == nil else { return true }
    watch.signOfLife(at: .now)
    do throws(TransportError) {
      guard let head = try unsafe reader.add(line) else { return true }
      watch.answering(at: .now)
      self.head = head
      if let sinkQueue { sinkQueue.begin(head) } else { try job.sink.begin(head) }
      return true
    } catch {
      failure = error
      return false
    }
  }

  /// A piece of the body.
  func receive(_ bytes: UnsafeRawBufferPointer) -> Reception {
    watch.received(bytes.count, at: .now)
    guard let sinkQueue else {
      do throws(TransportError) {
        try unsafe job.sink.receive(bytes.bytes)
        return .proceed
      } catch {
        failure = error
        return .stop
      }
    }
    switch unsafe sinkQueue.receive(bytes) {
    case .taken: return .proceed
    case .full:
      isPaused = true
      watch.paused()
      return .pause
    case .failed(let error):
      failure = error
      return .stop
    }
  }

  /// The next piece of the request's body; `nil` if it cannot be read.
  func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int? {
    watch.signOfLife(at: .now)
    guard let upload else { return 0 }
    if let count = unsafe upload.read(into: buffer) { return count }
    if case .file(let url) = job.request.body {
      failure = .unreadable(
        file: url.path(percentEncoded: false), reason: "it changed while it was sent")
    }
    return nil
  }

  /// Rewinds the body to send it again from a position.
  func seek(to offset: Int) -> Bool { upload?.seek(to: offset) ?? false }
}
