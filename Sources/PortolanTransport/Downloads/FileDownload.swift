public import Foundation

/// Fetches a file to the disk, and continues where it stopped.
///
/// Bytes go to `<name>.part` beside the destination; `<name>.part.json` says which file they are
/// of (address without credentials, `ETag` or `Last-Modified`, length) and is on the disk before
/// the first of them. Whatever ends the download, a kill or a power cut too, a later one to the
/// same place asks for the rest only (`Range`, `If-Range`), and starts over if the file has
/// changed or the server knows no ranges. The file takes its name when it is whole and synced.
public struct FileDownload: Sendable {
  /// How a file is fetched.
  public struct Options: Sendable {
    /// The most bytes that the file may have.
    public var limit: Int

    /// Whether a 200 is the file; for a server that sends its errors with that status.
    public var isExpected: @Sendable (HTTPResponseHead) -> Bool

    /// Made of the bytes while they arrive.
    public var digest: (any DownloadDigest)?

    /// Called with how far the download is, for each megabyte or half second, from any thread.
    public var progress: @Sendable (DownloadProgress) -> Void

    /// When an interrupted transfer resumes; attempts start over whenever one has received bytes.
    public var retries: RetryPolicy

    /// Creates options.
    public init(
      limit: Int = .max, isExpected: @escaping @Sendable (HTTPResponseHead) -> Bool = { _ in true },
      digest: (any DownloadDigest)? = nil,
      progress: @escaping @Sendable (DownloadProgress) -> Void = { _ in },
      retries: RetryPolicy = RetryPolicy()
    ) {
      self.limit = limit
      self.isExpected = isExpected
      self.digest = digest
      self.progress = progress
      self.retries = retries
    }
  }

  private let request: HTTPRequest
  private let destination: URL
  private let options: Options
  private let transport: any HTTPTransport
  private let clock: any Clock<Duration>
  private let chance: @Sendable () -> Double

  /// Creates a download; nothing happens before ``run()``.
  ///
  /// - Parameters:
  ///   - request: What to fetch, a `GET`.
  ///   - destination: Where the file goes; its folder must exist.
  ///   - options: How it is fetched.
  ///   - transport: What sends.
  ///   - clock: Measures pauses.
  ///   - chance: A number from 0 up to 1, another each time.
  public init(
    _ request: HTTPRequest, to destination: URL, options: Options = Options(),
    over transport: any HTTPTransport, clock: any Clock<Duration>,
    chance: @escaping @Sendable () -> Double
  ) {
    self.request = request
    self.destination = destination
    self.options = options
    self.transport = transport
    self.clock = clock
    self.chance = chance
  }

  /// Fetches the file, or what is missing of it.
  ///
  /// - Returns: The file, or the response that came instead.
  /// - Throws: ``TransportError``; what was received stays for the next time.
  public func run() async throws(TransportError) -> DownloadOutcome {
    let (request, destination, digest) = (request, destination, options.digest)
    var session = try await DiskQueue.run { () throws(TransportError) in
      try DownloadSession(for: request, to: destination, digest: digest)
    }
    let part = session.part
    defer { part.release() }
    var failures = 0
    var furthest = 0
    guard !session.isComplete else { return .file(try await place(session)) }
    while true {
      let sink = DownloadSink(session, for: request, options: options, clock: clock)
      do {
        if let outcome = try await attempt(session, into: sink) { return outcome }
      } catch {
        try await Self.flush(sink)
        // A server that always breaks off at the same place is not asked for ever.
        failures = sink.position > furthest ? 1 : failures + 1
        furthest = max(furthest, sink.position)
        if sink.verdict != .misfit { try await pause(after: error, sink.verdict, failures) }
      }
      session = try await Self.session(after: sink, in: session)
    }
  }

  /// Asks once; `nil` if what came does not fit what is there, so that all must come again.
  private func attempt(
    _ session: DownloadSession, into sink: DownloadSink
  ) async throws(TransportError) -> DownloadOutcome? {
    let head = try await transport.send(session.request(from: request), into: sink)
    switch sink.verdict {
    case .file:
      try await DiskQueue.run { () throws(TransportError) in try sink.finish() }
      return .file(try await place(session.holding(sink)))
    case .refusal: return .refused(HTTPResponse(head: head, body: sink.refusal))
    case .none, .misfit: return nil
    }
  }

  /// Removes the data received so far.
  public func discard() async throws(TransportError) { try await Self.discard(beside: destination) }

  /// Removes what a download has left beside its file: the part received so far, and the record.
  ///
  /// The file itself stays. A download that took its place but could not confirm that leaves its
  /// record there.
  public static func discard(beside destination: URL) async throws(TransportError) {
    try await DiskQueue.run { () throws(TransportError) in
      for url in [
        DownloadSession.partURL(of: destination), DownloadSession.recordURL(of: destination),
      ] {
        try DownloadRecordFile(url: url).remove()
      }
    }
  }

  /// What comes before the response is the transport's to repeat; this resumes what has begun.
  private func pause(
    after error: TransportError, _ verdict: DownloadSink.Verdict, _ failures: Int
  ) async throws(TransportError) {
    guard verdict == .file, failures < options.retries.attempts,
      error.isSlow || options.retries.allows(request, after: error)
    else { throw error }
    let pause = options.retries.pause(after: failures, chance: chance())
    // Cancelling is the only way in which a clock fails.
    do { try await clock.sleep(for: pause) } catch { throw .cancelled }
  }

  /// What was received before a failure is not to be fetched again.
  private static func flush(_ sink: DownloadSink) async throws(TransportError) {
    try await DiskQueue.run { () throws(TransportError) in try sink.flush() }
  }

  private static func session(
    after sink: DownloadSink, in session: DownloadSession
  ) async throws(TransportError) -> DownloadSession {
    try await DiskQueue.run { () throws(TransportError) in try session.following(sink) }
  }

  private func place(_ session: DownloadSession) async throws(TransportError) -> DownloadedFile {
    let destination = destination
    return try await DiskQueue.run { () throws(TransportError) in
      try session.place(at: destination)
    }
  }
}

extension TransportError {
  /// Whether bytes came too slowly; a download resumes after them, where others would start over.
  fileprivate var isSlow: Bool {
    if case .timedOut(_, phase: .pace) = self { true } else { false }
  }
}
