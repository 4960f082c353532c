internal import Foundation
internal import PortolanArchives
internal import Synchronization

/// Bytes of a file elsewhere, as far as they are here.
///
/// Reading what is not here fails at once, and notes which block is missing; the caller fetches it
/// over the network and reads again. So no thread is blocked, and every file reader works with this
/// source, too.
final class SparseByteSource: ByteSource {
  /// The bytes of a block.
  static let blockSize = 64 << 10
  /// The most blocks that are kept.
  private static let blockLimit = 512
  /// The most bytes that are read at a time; more would take the place of the ones that are read.
  static let largestRead = 16 << 20

  private struct State {
    var blocks: [Int: (data: Data, used: Int)] = [:]
    var clock = 0
    var missing: Set<Int> = []
    /// How many reads failed because their bytes are not here.
    var missCount = 0
    /// What copies of the file elsewhere say instead of its version.
    var otherVersions: Set<String> = []
  }

  let name: String
  let count: Int
  /// Which version of the file its bytes are of, as the server says.
  let version: String?
  private let state = Mutex(State())

  init(name: String, count: Int, version: String? = nil) {
    self.name = name
    self.count = count
    self.version = version
  }

  func read(_ range: Range<Int>) throws(ArchiveError) -> Data {
    guard range.lowerBound >= 0, range.upperBound <= count else {
      throw .truncated(file: name, offset: range.upperBound)
    }
    guard !range.isEmpty else { return Data() }
    guard range.count <= Self.largestRead else {
      throw .tooLarge(file: name, entry: "a part of it", limit: Self.largestRead)
    }
    let blocks = range.lowerBound / Self.blockSize...(range.upperBound - 1) / Self.blockSize
    let data = state.withLock { state -> Data? in
      let absent = blocks.filter { state.blocks[$0] == nil }
      guard absent.isEmpty else {
        state.missing.formUnion(absent)
        state.missCount += 1
        return nil
      }
      var data = Data(capacity: range.count)
      for block in blocks {
        state.clock += 1
        state.blocks[block]?.used = state.clock
        guard let bytes = state.blocks[block]?.data else { continue }
        let start = max(0, range.lowerBound - block * Self.blockSize)
        let end = min(bytes.count, range.upperBound - block * Self.blockSize)
        if start < end { data += bytes[bytes.startIndex + start..<bytes.startIndex + end] }
      }
      return data
    }
    guard let data else { throw .unreadable(file: name, reason: "a part has not arrived yet") }
    return data
  }

  /// Whether bytes of a version are those of this file.
  func isOf(_ version: String?) -> Bool {
    guard version != self.version else { return true }
    guard let version else { return false }
    return state.withLock { $0.otherVersions.contains(version) }
  }

  /// Notes that a copy of the file has another version.
  func accept(_ version: String?) {
    guard let version else { return }
    _ = state.withLock { $0.otherVersions.insert(version) }
  }

  /// How many reads failed because their bytes are not here.
  var missCount: Int { state.withLock { $0.missCount } }

  /// The ranges of failed reads that are not here, joined where they touch.
  func takeMissing() -> [Range<Int>] {
    let blocks = state.withLock { state in
      defer { state.missing = [] }
      return state.missing.sorted()
    }
    var ranges: [Range<Int>] = []
    for block in blocks {
      let range = block * Self.blockSize..<min(count, (block + 1) * Self.blockSize)
      if let last = ranges.last, last.upperBound == range.lowerBound {
        ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
      } else {
        ranges.append(range)
      }
    }
    return ranges
  }

  /// Takes over bytes that have arrived for a range of whole blocks.
  func insert(_ data: Data, at offset: Int) {
    state.withLock { state in
      for start in stride(from: 0, to: data.count, by: Self.blockSize) {
        let end = min(data.count, start + Self.blockSize)
        let piece = Data(data[data.startIndex + start..<data.startIndex + end])
        state.clock += 1
        state.blocks[(offset + start) / Self.blockSize] = (piece, state.clock)
      }
      while state.blocks.count > Self.blockLimit,
        let oldest = state.blocks.min(by: { $0.value.used < $1.value.used })
      {
        state.blocks[oldest.key] = nil
      }
    }
  }
}
