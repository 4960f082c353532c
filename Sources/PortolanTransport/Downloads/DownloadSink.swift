internal import Foundation
internal import PortolanLocks

/// Writes the response of one attempt to the part file.
final class DownloadSink: HTTPBodySink {
  /// The kind of the response.
  enum Verdict: Hashable, Sendable {
    /// It has not begun.
    case none
    /// The file from its beginning, or the rest of it.
    case file
    /// Something else.
    case refusal
    /// Nothing that fits what is there: the whole file must come again.
    case misfit
  }

  private struct State {
    var verdict = Verdict.none
    var record: DownloadRecord?
    var resumedFrom = 0
    var total: Int?
    var reported = -1
    var reportedAt = Duration.zero
    var refusal = Data()
  }

  /// Progress is reported each time that so many bytes have arrived.
  private static let step = 1 << 20
  /// Progress is reported each time that so much time has passed and any bytes have arrived.
  private static let interval = Duration.milliseconds(500)
  /// The most that is kept of a response that is no file.
  private static let refusalLimit = 1 << 20

  private let session: DownloadSession
  private let request: HTTPRequest
  private let options: FileDownload.Options
  private let elapsed: @Sendable () -> Duration
  private let writer: PartWriter
  private let state: Locked<State>

  init(
    _ session: DownloadSession, for request: HTTPRequest, options: FileDownload.Options,
    clock: any Clock<Duration>
  ) {
    self.session = session
    self.request = request
    self.options = options
    elapsed = Self.stopwatch(clock)
    writer = PartWriter(session.part, digest: session.digest, at: session.offset)
    state = Locked(State(record: session.record, resumedFrom: session.resumedFrom))
  }

  /// The record of a download is synced before its first byte.
  var mayBlock: Bool { true }

  var pieceSize: Int { writer.room }

  var verdict: Verdict { state.withLock { $0.verdict } }
  var record: DownloadRecord? { state.withLock { $0.record } }
  var refusal: Data { state.withLock { $0.refusal } }
  var resumedFrom: Int { state.withLock { $0.resumedFrom } }
  /// How many bytes of the file are on the disk.
  var position: Int { writer.position }

  /// Syncs what was received, and checks that it is all.
  func finish() throws(TransportError) {
    try flush()
    let (position, total) = (position, state.withLock { $0.total })
    guard position == total ?? position else {
      throw .interrupted(
        request.address, reason: "\(position) of \(total ?? position) bytes arrived")
    }
    report(position, total)
  }

  /// Syncs what was received, and reports it, for nothing more may come.
  func flush() throws(TransportError) {
    let (verdict, total) = state.withLock { ($0.verdict, $0.total) }
    do {
      try writer.flush()
    } catch .diskFull {
      throw diskFull(missing: total.map { $0 - position })
    }
    if verdict == .file { report(position, total, isLast: true) }
  }

  /// The time since now.
  private static func stopwatch(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }

  func begin(_ head: HTTPResponseHead) throws(TransportError) {
    switch head.status {
    case 200 where options.isExpected(head): try beginWhole(head)
    case 206 where session.offset > 0: try beginRest(head)
    case 206: throw .malformed(request.address, reason: "it sends a part where all was asked for")
    case 412 where session.offset > 0, 416 where session.offset > 0: set(.misfit)
    default: set(.refusal)
    }
  }

  func receive(_ bytes: RawSpan) throws(TransportError) {
    let (verdict, total) = state.withLock { ($0.verdict, $0.total) }
    guard verdict == .file else { return keep(bytes) }
    let end = writer.end + bytes.byteCount
    guard end <= total ?? .max else {
      throw .malformed(request.address, reason: "more arrives than was announced")
    }
    guard end <= options.limit else { throw .tooLarge(request.address, limit: options.limit) }
    do {
      try writer.append(bytes)
    } catch .diskFull {
      throw diskFull(missing: total.map { $0 - position })
    }
    report(position, total)
  }

  private func beginWhole(_ head: HTTPResponseHead) throws(TransportError) {
    let record = DownloadRecord(head, to: request)
    guard record.total ?? 0 <= options.limit else {
      throw .tooLarge(request.address, limit: options.limit)
    }
    try writer.startOver()
    writer.expect(record.total)
    // On the disk before the first byte, so that whatever bytes are found later, it is about them.
    try session.recordFile.write(record)
    try checkRoom(for: record.total)
    state.withLock {
      $0 = State(verdict: .file, record: record, total: record.total)
    }
    report(0, record.total)
  }

  private func beginRest(_ head: HTTPResponseHead) throws(TransportError) {
    let place = head.headers["Content-Range"].flatMap { ContentRange($0) }
    guard let record = session.record, session.offset > 0, !head.isEncoded,
      place?.range?.lowerBound == session.offset, record.agrees(with: head),
      record.total == nil || place?.total == nil || record.total == place?.total
    else {
      set(.misfit)
      throw .malformed(request.address, reason: "it sends another part than was asked for")
    }
    let total = record.total ?? place?.total
    writer.expect(total)
    try checkRoom(for: total.map { $0 - session.offset })
    state.withLock {
      $0.verdict = .file
      $0.total = total
    }
    report(session.offset, total)
  }

  private func set(_ verdict: Verdict) { state.withLock { $0.verdict = verdict } }

  private func keep(_ bytes: RawSpan) {
    state.withLock { state in
      let room = Self.refusalLimit - state.refusal.count
      let kept = bytes.extracting(0..<min(room, bytes.byteCount))
      unsafe kept.withUnsafeBytes { unsafe state.refusal.append(contentsOf: $0) }
    }
  }

  private func checkRoom(for count: Int?) throws(TransportError) {
    guard let count, let free = session.part.freeSpace(), free < count else { return }
    throw diskFull(missing: count)
  }

  private func diskFull(missing: Int?) -> TransportError {
    let free = session.part.freeSpace() ?? 0
    return .diskFull(
      file: session.part.path, needed: missing.map { max($0 - free, 1) })
  }

  private func report(_ position: Int, _ total: Int?, isLast: Bool = false) {
    let now = elapsed()
    let progress: DownloadProgress? = state.withLock { state in
      let isDue =
        position - state.reported >= Self.step || now - state.reportedAt >= Self.interval
        || position == total || isLast
      guard position > state.reported, isDue || state.reported < 0 else { return nil }
      state.reported = position
      state.reportedAt = now
      return DownloadProgress(
        received: position, total: total, resumedFrom: state.resumedFrom)
    }
    if let progress { options.progress(progress) }
  }
}
