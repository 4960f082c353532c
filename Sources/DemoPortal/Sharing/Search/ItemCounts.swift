internal import PortolanJSON

/// Counts the items found for each value of some fields, as `countFields` requests it.
struct ItemCounts: Sendable {
  private static let mostFields = 3
  private static let mostValues = 200

  private let fields: [String]
  private let size: Int

  /// Reads a request; `nil` if it asks for no counts.
  init?(_ parameters: DemoParameters) {
    fields = Array(
      parameters.list("countFields").map { $0.lowercased() }
        .filter { Self.values[$0] != nil }.prefix(Self.mostFields))
    guard !fields.isEmpty else { return nil }
    size = min(max(parameters.int("countSize") ?? 10, 1), Self.mostValues)
  }

  /// The values that can be counted.
  private static let values: [String: @Sendable (DemoItem) -> [String]] = [
    "tags": { $0.tags }, "type": { [$0.type] }, "access": { [$0.access.rawValue] },
    "contentstatus": { _ in [] }, "categories": { _ in [] },
  ]

  /// The counts, the most frequent value of a field first.
  func json(of items: [DemoItem]) -> JSONValue {
    [
      "counts": .array(
        fields.map { field in
          ["fieldName": .string(field), "fieldValues": .array(counts(of: field, in: items))]
        })
    ]
  }

  private func counts(of field: String, in items: [DemoItem]) -> [JSONValue] {
    guard let values = Self.values[field] else { return [] }
    var counts: [String: Int] = [:]
    for item in items {
      for value in Set(values(item).map { $0.lowercased() }) { counts[value, default: 0] += 1 }
    }
    let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    return sorted.prefix(size).map { value, count in
      ["value": .string(value), "count": .integer(Int64(count))]
    }
  }
}
