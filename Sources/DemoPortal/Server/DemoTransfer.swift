internal import Synchronization

/// A body that a server has sent, or as much of it as the connection took.
public struct DemoTransfer: Hashable, Sendable {
  /// The path that was requested, without the query.
  public let path: String
  /// The offset in the file at which it began, in bytes.
  public let offset: Int
  /// The number of bytes that were requested.
  public let length: Int
  /// The number of bytes that went to the connection.
  public var sent: Int

  /// Creates a record.
  public init(path: String, offset: Int, length: Int, sent: Int) {
    self.path = path
    self.offset = offset
    self.length = length
    self.sent = sent
  }
}

/// The bodies that a server has sent, in the order in which they were begun.
final class TransferLog: Sendable {
  private let transfers = Mutex<[DemoTransfer]>([])

  var all: [DemoTransfer] { transfers.withLock { $0 } }

  /// Adds a transfer of which nothing was sent yet; answers its place.
  func begin(_ target: String, _ delivery: DemoDelivery) -> Int {
    let path = target.split(separator: "?", maxSplits: 1).first.map(String.init) ?? target
    return transfers.withLock {
      $0.append(
        DemoTransfer(
          path: path, offset: delivery.range.lowerBound, length: delivery.range.count, sent: 0))
      return $0.count - 1
    }
  }

  /// So many bytes more have gone out.
  func add(_ count: Int, to place: Int) { transfers.withLock { $0[place].sent += count } }
}
