internal import Foundation
internal import PortolanJSON

/// A file that a client has uploaded to use it in a later request.
struct Upload: Sendable {
  let id: String
  let name: String
  let description: String
  let moment: Date
  /// The parts that have come, by number.
  var parts: [Int: Data] = [:]
  /// The whole, once it is there.
  var data: Data?

  /// The number of bytes received so far.
  var byteCount: Int { (data?.count ?? 0) + parts.values.reduce(0) { $0 + $1.count } }

  /// The parts in order.
  var joined: Data { parts.sorted { $0.key < $1.key }.reduce(Data()) { $0 + $1.value } }

  /// The upload as services describe it.
  var json: JSONValue {
    [
      "itemID": .string(id), "itemName": .string(name), "description": .string(description),
      "date": .integer(moment.epochMilliseconds), "committed": .bool(data != nil),
    ]
  }
}
