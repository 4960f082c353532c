/// The number of edits that a service has received, by the ids of its layers.
public struct SentEdits: Hashable, Sendable {
  /// How many it has received of each layer; none of which it has received nothing.
  public private(set) var byLayer: [Int: Int] = [:]
  /// How many of them are edits of attachments.
  public private(set) var attachments = 0

  /// Creates a count of nothing.
  public init() {}

  /// How many it has received in all.
  public var total: Int { byLayer.values.reduce(0, +) }

  /// Counts one more.
  mutating func add(toLayer id: Int, isAttachment: Bool = false) {
    byLayer[id, default: 0] += 1
    if isAttachment { attachments += 1 }
  }

  /// Adds what it has received at another time.
  public static func += (edits: inout SentEdits, others: SentEdits) {
    edits.byLayer.merge(others.byLayer, uniquingKeysWith: +)
    edits.attachments += others.attachments
  }

  /// What it has received at both times.
  public static func + (edits: SentEdits, others: SentEdits) -> SentEdits {
    var sum = edits
    sum += others
    return sum
  }
}
