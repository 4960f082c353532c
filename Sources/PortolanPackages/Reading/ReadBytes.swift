internal import Foundation
internal import PortolanArchives
internal import Synchronization

/// Bytes that a function reads.
final class ReadBytes: ByteSource {
  let name: String
  let count: Int
  private let function: @Sendable (Range<Int>) throws -> Data
  private let failed = Mutex<(any Error)?>(nil)

  init(name: String, count: Int, _ function: @escaping @Sendable (Range<Int>) throws -> Data) {
    self.name = name
    self.count = count
    self.function = function
  }

  /// The first error of the function.
  var failure: (any Error)? { failed.withLock { $0 } }

  func read(_ range: Range<Int>) throws(ArchiveError) -> Data {
    guard range.lowerBound >= 0, range.upperBound <= count else {
      throw .truncated(file: name, offset: range.upperBound)
    }
    do {
      return try function(range)
    } catch {
      failed.withLock { $0 = $0 ?? error }
      throw .unreadable(file: name, reason: error.localizedDescription)
    }
  }
}
