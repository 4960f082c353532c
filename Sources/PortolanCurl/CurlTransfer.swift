internal import CCurl
internal import Foundation
internal import PortolanTransport

/// A request that is under way; it lives on the event thread.
@safe
final class CurlTransfer {
  private enum Phase {
    case connecting
    /// The request goes out, or has gone out.
    case asking
    case answering
  }

  let job: CurlJob
  let handle: CurlHandle
  private let upload: CurlUpload?
  private var reader: ResponseHeadReader
  private var phase = Phase.connecting
  private var head: HTTPResponseHead?
  /// What ended the transfer from our side.
  private(set) var failure: TransportError?
  private var lastSign = ContinuousClock.now

  /// Prepares `handle` for the request of `job`.
  init(
    _ job: CurlJob, on handle: CurlHandle, _ configuration: CurlConfiguration
  ) throws(TransportError) {
    self.job = job
    self.handle = handle
    upload = if let body = job.request.body { try CurlUpload(body) } else { nil }
    reader = ResponseHeadReader(for: job.request, limit: configuration.headerLimit)
    CurlRequestOptions(request: job.request, configuration: configuration)
      .apply(to: handle, bodyCount: upload?.count)
    CurlCallbacks.connect(self, to: handle)
  }

  /// When the transfer counts as failed if nothing more happens; `nil` while libcurl itself
  /// watches over connecting.
  var deadline: ContinuousClock.Instant? {
    switch phase {
    case .connecting: nil
    case .asking: lastSign + job.request.timeouts.firstByte
    case .answering: lastSign + job.request.timeouts.stall
    }
  }

  /// The error of a transfer that has passed its deadline.
  var timeout: TransportError {
    .timedOut(job.request.address, phase: phase == .answering ? .stall : .firstByte)
  }

  /// What came of it, by libcurl's word.
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

  // MARK: What libcurl tells

  /// The connection stands.
  func connected() {
    phase = .asking
    lastSign = .now
  }

  /// A line of the head; whether to go on.
  func receive(headLine line: UnsafeRawBufferPointer) -> Bool {
    // What comes after the body is no part of the head.
    guard head == nil else { return true }
    lastSign = .now
    do throws(TransportError) {
      guard let head = try unsafe reader.add(line) else { return true }
      phase = .answering
      self.head = head
      try job.sink.begin(head)
      return true
    } catch {
      failure = error
      return false
    }
  }

  /// A piece of the body; whether to go on.
  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    lastSign = .now
    do throws(TransportError) {
      try unsafe job.sink.receive(bytes.bytes)
      return true
    } catch {
      failure = error
      return false
    }
  }

  /// The next piece of the request's body; `nil` if it cannot be read.
  func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int? {
    lastSign = .now
    guard let upload else { return 0 }
    if let count = unsafe upload.read(into: buffer) { return count }
    if case .file(let url) = job.request.body {
      failure = .unreadable(
        file: url.path(percentEncoded: false), reason: "it changed while it was sent")
    }
    return nil
  }

  /// What was sent must be sent again from a place.
  func seek(to offset: Int) -> Bool { upload?.seek(to: offset) ?? false }
}
