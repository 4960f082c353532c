internal import Foundation

/// The bytes of an answer's body, read piece by piece, with the faults that apply to it.
struct BodyReader: Sendable {
  /// The outcome of reading at a position.
  enum Step: Hashable, Sendable {
    /// The number of bytes that may be sent from there.
    case bytes(Int)
    /// Nothing more is sent, and the connection stays.
    case stall
    /// The connection ends.
    case cut
  }

  private let source: Data
  private let range: Range<Int>
  private let mishaps: DemoMishaps

  /// Opens the body of `delivery`.
  ///
  /// A file is mapped, so it costs no memory; one that cannot be opened ends its connection.
  init(_ delivery: DemoDelivery) {
    switch delivery.body {
    case .bytes(let data): source = data
    case .file(let url):
      // A missing file is a body that breaks off, which clients must cope with.
      source = (try? Data(contentsOf: url, options: .alwaysMapped)) ?? Data()
    }
    range = delivery.range
    mishaps = delivery.mishaps
  }

  /// The outcome of reading from `position` on, of at most `limit` bytes.
  func step(at position: Int, limit: Int) -> Step {
    if let cut = mishaps.cut, position >= cut { return .cut }
    if let stall = mishaps.stall, position >= stall { return .stall }
    let available = min(range.upperBound, source.count) - range.lowerBound - position
    let ends = [mishaps.cut, mishaps.stall].compactMap { $0.map { $0 - position } }
    let count = min(limit, available, ends.min() ?? .max)
    return count > 0 ? .bytes(count) : .cut
  }

  /// `count` bytes from `position` on, some of them changed if so wanted.
  func bytes(at position: Int, count: Int) -> Data {
    let start = source.startIndex + range.lowerBound + position
    var bytes = Data(source[start..<start + count])
    guard mishaps.corruptBytes > 0 else { return bytes }
    let stride = max(range.count / mishaps.corruptBytes, 1)
    for offset in 0..<count where (position + offset) % stride == stride / 2 {
      bytes[offset] ^= 0xFF
    }
    return bytes
  }
}
