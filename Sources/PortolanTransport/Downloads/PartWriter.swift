internal import PortolanLocks

/// Writes what arrives to a part file, in pieces of a quarter of a megabyte.
///
/// libcurl hands out 16 kB at a time; one system call for sixteen of them takes half the processor
/// time. What a kill loses is the piece that was being gathered, so small files are written as they
/// arrive: never is more than a hundredth of a file lost.
final class PartWriter: Sendable {
  private struct State {
    /// The length of the part on the disk.
    var position: Int
    /// The bytes received after that.
    var buffer: [UInt8] = []
    /// Whether pieces are gathered.
    var gathers = false
  }

  private static let pieceSize = 256 << 10
  /// The bytes in the smallest file that is gathered.
  private static let smallestGathered = 100 * pieceSize

  private let part: PartFile
  private let digest: (any DownloadDigest)?
  private let state: Locked<State>

  /// Creates a writer that continues at `offset`.
  init(_ part: PartFile, digest: (any DownloadDigest)?, at offset: Int) {
    self.part = part
    self.digest = digest
    state = Locked(State(position: offset))
  }

  /// How many bytes are on the disk.
  var position: Int { state.withLock { $0.position } }

  /// How many bytes have arrived.
  var end: Int { state.withLock { $0.position + $0.buffer.count } }

  /// How many bytes the piece that is being gathered lacks; 0 if none are gathered.
  var room: Int {
    state.withLock { $0.gathers ? Self.room(behind: $0.position + $0.buffer.count) : 0 }
  }

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
      let whole = wholePieces(of: bytes.byteCount - start)
      guard whole == 0 else {
        try write(bytes.extracting(start..<(start + whole)))
        done += whole
        continue
      }
      let (taken, isDue) = state.withLock { state in
        let room = Self.room(behind: state.position + state.buffer.count)
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
    var buffer: [UInt8] = []
    state.withLock { swap(&$0.buffer, &buffer) }
    guard !buffer.isEmpty else { return }
    try unsafe write(buffer.span.bytes)
    buffer.removeAll(keepingCapacity: true)
    state.withLock { swap(&$0.buffer, &buffer) }
  }

  private func write(_ bytes: RawSpan) throws(TransportError) {
    let position = position
    try part.write(bytes, at: position)
    digest?.update(bytes)
    state.withLock { $0.position = position + bytes.byteCount }
  }

  /// How many of the next bytes need not be gathered.
  private func wholePieces(of count: Int) -> Int {
    state.withLock { state in
      guard state.buffer.isEmpty else { return 0 }
      guard state.gathers else { return count }
      let room = Self.room(behind: state.position)
      return count < room ? 0 : room + (count - room) / Self.pieceSize * Self.pieceSize
    }
  }

  /// How far it is to the end of a piece.
  ///
  /// Pieces end at even places in the file, so that no page is written twice.
  private static func room(behind position: Int) -> Int { pieceSize - position % pieceSize }
}
