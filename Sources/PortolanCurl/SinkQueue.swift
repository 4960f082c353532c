internal import Dispatch
internal import PortolanLocks
internal import PortolanTransport

/// Calls a sink that may wait for a disk on a queue of its own, so that the event thread never does.
///
/// Holds a bounded number of bytes: when that is reached the transfer is paused until the sink has
/// caught up.
final class SinkQueue: Sendable {
  /// What became of a piece of the body.
  enum Receipt {
    case taken
    /// Nothing was taken; the piece is to be offered again after the queue has called back.
    case full
    case failed(TransportError)
  }

  private enum Piece: Sendable {
    case head(HTTPResponseHead)
    case bytes([UInt8])
  }

  private struct State {
    var pieces: [Piece] = []
    var byteCount = 0
    /// Whether pieces are being handed to the sink.
    var isWorking = false
    /// Whether a piece was turned away.
    var isFull = false
    var failure: TransportError?
    var completion: (@Sendable (TransportError?) -> Void)?

    /// Adds a piece, unless the sink has failed; whether the work has to be started.
    mutating func add(_ piece: Piece, count: Int) -> Bool {
      guard failure == nil else { return false }
      pieces.append(piece)
      byteCount += count
      defer { isWorking = true }
      return !isWorking
    }
  }

  /// The most bytes that wait for the sink.
  private static let limit = 1 << 20

  private let sink: any HTTPBodySink
  private let onChange: @Sendable () -> Void
  private let queue = DispatchQueue(label: "PortolanCurl.sink")
  private let state = Locked(State())

  /// Creates a queue for `sink`.
  ///
  /// - Parameters:
  ///   - sink: What the body is for.
  ///   - onChange: Called from any thread when the sink failed, or after ``Receipt/full`` when there
  ///     is space again.
  init(_ sink: any HTTPBodySink, onChange: @escaping @Sendable () -> Void) {
    self.sink = sink
    self.onChange = onChange
  }

  /// Why the sink refused what it was given.
  var failure: TransportError? { state.withLock { $0.failure } }

  /// Hands the head of the answer to the sink, in its turn.
  func begin(_ head: HTTPResponseHead) {
    let isIdle = state.withLock { $0.add(.head(head), count: 0) }
    if isIdle { work() }
  }

  /// Hands a piece of the body to the sink, in its turn.
  func receive(_ bytes: UnsafeRawBufferPointer) -> Receipt {
    let (receipt, isIdle) = state.withLock { state -> (Receipt, Bool) in
      if let failure = state.failure { return (.failed(failure), false) }
      guard state.byteCount < Self.limit else {
        state.isFull = true
        return (.full, false)
      }
      return (.taken, state.add(.bytes(unsafe Array(bytes)), count: bytes.count))
    }
    if isIdle { work() }
    return receipt
  }

  /// Calls `completion` once the sink has everything, with its failure if it had one.
  func finish(_ completion: @escaping @Sendable (TransportError?) -> Void) {
    let (isIdle, failure) = state.withLock { state in
      if state.isWorking { state.completion = completion }
      return (!state.isWorking, state.failure)
    }
    if isIdle { completion(failure) }
  }

  private func work() {
    queue.async {
      while let pieces = self.take() {
        do throws(TransportError) {
          for piece in pieces { try self.hand(piece) }
        } catch {
          self.fail(error)
        }
      }
    }
  }

  private func hand(_ piece: Piece) throws(TransportError) {
    switch piece {
    case .head(let head): try sink.begin(head)
    case .bytes(let bytes): try unsafe sink.receive(bytes.span.bytes)
    }
  }

  /// The pieces that wait; `nil` if there are none, which ends the work.
  private func take() -> [Piece]? {
    let (pieces, hasSpace, completion, failure) = state.withLock { state in
      let pieces = state.pieces
      let hasSpace = state.isFull
      state.pieces = []
      state.byteCount = 0
      state.isFull = false
      state.isWorking = !pieces.isEmpty
      defer { if pieces.isEmpty { state.completion = nil } }
      return (pieces, hasSpace, pieces.isEmpty ? state.completion : nil, state.failure)
    }
    // Outside the lock, since both lead to others.
    if hasSpace { onChange() }
    completion?(failure)
    return pieces.isEmpty ? nil : pieces
  }

  private func fail(_ error: TransportError) {
    state.withLock { state in
      state.failure = error
      state.pieces = []
      state.byteCount = 0
    }
    onChange()
  }
}
