internal import PortolanJSON

/// A page of a list, as `start` and `num` ask for it.
struct ResultPage<Element> {
  let total: Int
  /// Counted from 1.
  let start: Int
  let num: Int
  let elements: [Element]

  /// Takes the page out of everything.
  ///
  /// - Throws: ``DemoFailure/badRequest(_:)`` beyond the 10,000 that the service allows.
  init(
    _ all: [Element], _ parameters: DemoParameters, standard: Int = 10, limit: Int = 100
  ) throws(DemoFailure) {
    total = all.count
    start = max(parameters.int("start") ?? 1, 1)
    num = min(max(parameters.int("num") ?? standard, 0), limit)
    guard start <= 10_000 - num + 1 else {
      throw .badRequest("'start' + 'num' cannot exceed 10000.")
    }
    elements = Array(all.dropFirst(start - 1).prefix(num))
  }

  /// The number of the next page's first element, -1 if this is the last page.
  var nextStart: Int { start - 1 + elements.count < total && num > 0 ? start + num : -1 }

  /// The page with its elements as JSON.
  ///
  /// - Parameters:
  ///   - name: The member that holds the elements.
  ///   - list: The elements.
  ///   - echoesNum: Whether `num` says how many were requested, as the search does, and not how
  ///     many there are; the Python client counts by it.
  /// - Returns: The members of the answer.
  func json(_ name: String, _ list: [JSONValue], echoesNum: Bool = false) -> JSONObject {
    [
      "total": .integer(Int64(total)), "start": .integer(Int64(start)),
      "num": .integer(Int64(echoesNum ? num : elements.count)),
      "nextStart": .integer(Int64(nextStart)),
      name: .array(list),
    ]
  }
}
