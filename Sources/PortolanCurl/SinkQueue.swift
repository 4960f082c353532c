internal import Dispatch
internal import PortolanLocks
internal import PortolanTransport

/// Calls a sink that may wait for a disk on a queue of its own, so that the event thread never does.
///
/// Holds a bounded number of bytes: when that is reached the transfer is paused until the sink has
/// caught up.
final class SinkQueue: Sendable {
  /// The receipt of a piece of the body.
  enum Receipt {
    case taken
    /// Nothing was taken; the piece is to be offered again after the queue has called back.
    case full
    case failed(TransportError)
  }

  private struct State {
    /// The head of the response, until the sink has it.
    var head: HTTPResponseHead?
    /// The bytes for the sink to receive next.
    var bytes: [UInt8] = []
    /// Memory for what comes after that.
    var spare: [UInt8] = []
    /// Whether something is being handed to the sink.
    var isWorking = false
    /// Whether a piece was turned away.
    var isFull = false
    var failure: TransportError?
    var completion: (@Sendable (TransportError?) -> Void)?

    /// Whether there is enough for the sink to be called.
    func isDue(_ pieceSize: Int) -> Bool {
      head != nil || completion != nil || bytes.count >= max(1, pieceSize)
    }

    /// Whether the work has to be started, which the caller then does.
    mutating func starts(_ pieceSize: Int) -> Bool {
      guard failure == nil, !isWorking, isDue(pieceSize) else { return false }
      isWorking = true
      return true
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

  /// Hands the head of the response to the sink, in its turn.
  func begin(_ head: HTTPResponseHead) {
    let starts = state.withLock { state in
      state.head = head
      return state.starts(0)
    }
    if starts { work() }
  }

  /// Hands a piece of the body to the sink, in its turn.
  func receive(_ bytes: UnsafeRawBufferPointer) -> Receipt {
    let pieceSize = pieceSize
    let (receipt, starts) = state.withLock { state -> (Receipt, Bool) in
      if let failure = state.failure { return (.failed(failure), false) }
      guard state.bytes.count < Self.limit else {
        state.isFull = true
        return (.full, false)
      }
      unsafe state.bytes.append(contentsOf: bytes)
      return (.taken, state.starts(pieceSize))
    }
    if starts { work() }
    return receipt
  }

  /// Calls `completion` once the sink has everything, with its failure if it had one.
  func finish(_ completion: @escaping @Sendable (TransportError?) -> Void) {
    let (starts, isOver, failure) = state.withLock { state in
      let isOver =
        !state.isWorking && (state.failure != nil || state.bytes.isEmpty && state.head == nil)
      if !isOver { state.completion = completion }
      return (state.starts(0), isOver, state.failure)
    }
    if starts { work() }
    if isOver { completion(failure) }
  }

  /// How many bytes the sink wants at a time; never so many that the transfer waits for more.
  private var pieceSize: Int { min(sink.pieceSize, Self.limit / 2) }

  private func work() {
    queue.async {
      var bytes: [UInt8] = []
      while self.take(&bytes) {
        do throws(TransportError) {
          if let head = self.state.withLock({ $0.head.take() }) { try self.sink.begin(head) }
          if !bytes.isEmpty { try unsafe self.sink.receive(bytes.span.bytes) }
        } catch {
          self.fail(error)
        }
      }
    }
  }

  /// Takes what waits, in exchange for the memory of what was handed on.
  ///
  /// - Returns: Whether there is something for the sink; else the work is over.
  private func take(_ bytes: inout [UInt8]) -> Bool {
    bytes.removeAll(keepingCapacity: true)
    let pieceSize = pieceSize
    let (goesOn, hasSpace, completion, failure) = state.withLock { state in
      let isEmpty = state.head == nil && state.bytes.isEmpty
      state.isWorking = !isEmpty && state.isDue(pieceSize)
      guard state.isWorking else {
        state.spare = bytes
        let completion = isEmpty ? state.completion.take() : nil
        return (false, false, completion, state.failure)
      }
      defer { state.isFull = false }
      if bytes.capacity == 0 { swap(&bytes, &state.spare) }
      swap(&bytes, &state.bytes)
      return (true, state.isFull, nil, nil)
    }
    // Outside the lock, since both lead to others.
    if hasSpace { onChange() }
    completion?(failure)
    return goesOn
  }

  private func fail(_ error: TransportError) {
    state.withLock { state in
      state.failure = error
      state.head = nil
      state.bytes = []
    }
    onChange()
  }
}
