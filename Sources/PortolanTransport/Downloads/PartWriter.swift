internal import Synchronization

/// Writes what arrives to a part file, in pieces of a quarter of a megabyte.
///
/// libcurl hands out 16 kB at a time; one system call for sixteen of them takes half the processor
/// time. What a kill loses is the piece that was being gathered, so small files are written as they
/// arrive: never is more than a hundredth of a file lost.
final class PartWriter: Sendable {
  private struct State {
    /// What is on the disk.
    var position: Int
    /// What has arrived after that.
    var buffer: [UInt8] = []
    /// Whether pieces are gathered.
    var gathers = false
  }

  private static let pieceSize = 256 << 10
  /// The bytes in the smallest file that is gathered.
  private static let smallestGathered = 100 * pieceSize

  private let part: PartFile
  private let digest: (any DownloadDigest)?
  private let state: Mutex<State>

  /// Creates a writer that goes on at `offset`.
  init(_ part: PartFile, digest: (any DownloadDigest)?, at offset: Int) {
    self.part = part
    self.digest = digest
    state = Mutex(State(position: offset))
  }

  /// How many bytes are on the disk.
  var position: Int { state.withLock { $0.position } }

  /// How many bytes have arrived.
  var end: Int { state.withLock { $0.position + $0.buffer.count } }

  /// Says how long the file is, as far as known.
  func expect(_ total: Int?) {
    state.withLock { $0.gathers = total ?? 0 >= Self.smallestGathered }
  }

  /// Forgets everything that has arrived.
  func startOver() throws(TransportError) {
    state.withLock { $0 = State(position: 0, gathers: $0.gathers) }
    digest?.reset()
    try part.truncate(to: 0)
  }

  /// Takes the next bytes.
  func append(_ bytes: RawSpan) throws(TransportError) {
    var done = 0
    while done < bytes.byteCount {
      let start = done
      let (taken, isDue) = state.withLock { state in
        // Pieces end at even places in the file, so that no page is written twice.
        let room = Self.pieceSize - (state.position + state.buffer.count) % Self.pieceSize
        let taken = min(room, bytes.byteCount - start)
        state.buffer.reserveCapacity(Self.pieceSize)
        unsafe bytes.extracting(start..<(start + taken)).withUnsafeBytes {
          unsafe state.buffer.append(contentsOf: $0)
        }
        return (taken, taken == room || !state.gathers)
      }
      done += taken
      if isDue { try flush() }
    }
  }

  /// Writes what has been gathered.
  func flush() throws(TransportError) {
    let position = position
    var buffer: [UInt8] = []
    state.withLock { swap(&$0.buffer, &buffer) }
    guard !buffer.isEmpty else { return }
    let end = position + buffer.count
    try unsafe part.write(buffer.span.bytes, at: position)
    unsafe digest?.update(buffer.span.bytes)
    buffer.removeAll(keepingCapacity: true)
    state.withLock { state in
      state.position = end
      swap(&state.buffer, &buffer)
    }
  }
}
