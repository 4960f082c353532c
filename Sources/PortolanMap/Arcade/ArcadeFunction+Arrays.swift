internal import PortolanFeatures

extension ArcadeFunction {
  static let arrays: [ArcadeFunction] = [
    ArcadeFunction("Count", 1...1, count),
    ArcadeFunction("Array", 1...2, array),
    ArcadeFunction("Includes", 2...2) { evaluator, values throws(ArcadeError) in
      .boolean(try evaluator.place(of: values[1], in: try evaluator.array(values[0])) != nil)
    },
    ArcadeFunction("IndexOf", 2...2) { evaluator, values throws(ArcadeError) in
      let index = try evaluator.place(of: values[1], in: try evaluator.array(values[0]))
      return .number(Double(index ?? -1))
    },
    ArcadeFunction("Push", 2...2) { evaluator, values throws(ArcadeError) in
      let count = try evaluator.array(values[0]).count
      try evaluator.change(values[0]) { $0.append(values[1]) }
      return .number(Double(count + 1))
    },
    ArcadeFunction("Pop", 1...1) { evaluator, values throws(ArcadeError) in
      guard let last = try evaluator.array(values[0]).last else {
        throw .wrongValue("takes the last out of an empty array")
      }
      try evaluator.change(values[0]) { $0.removeLast() }
      return last
    },
    ArcadeFunction("Insert", 3...3, insert), ArcadeFunction("Erase", 2...2, erase),
    ArcadeFunction("Resize", 2...3, resize),
    ArcadeFunction("Slice", 1...3, slice), ArcadeFunction("Splice", 1...many, splice),
    // The array itself is reversed, and returned.
    ArcadeFunction("Reverse", 1...1) { evaluator, values throws(ArcadeError) in
      try evaluator.spend(try evaluator.array(values[0]).count)
      try evaluator.change(values[0]) { $0.reverse() }
      return values[0]
    },
    ArcadeFunction("Distinct", 1...many, distinct),
    ArcadeFunction("First", 1...1) { evaluator, values throws(ArcadeError) in
      try evaluator.array(values[0]).first ?? .null
    },
    // Unlike `First` it fails where there is none.
    ArcadeFunction("Front", 1...1) { evaluator, values throws(ArcadeError) in
      guard let first = try evaluator.array(values[0]).first else {
        throw .wrongValue("asks for the first of an empty array")
      }
      return first
    },
    ArcadeFunction("Back", 1...1) { evaluator, values throws(ArcadeError) in
      guard let last = try evaluator.array(values[0]).last else {
        throw .wrongValue("asks for the last of an empty array")
      }
      return last
    },
    ArcadeFunction("Top", 2...2) { evaluator, values throws(ArcadeError) in
      let count = max(0, try values[1].integer())
      return try evaluator.made(Array(try evaluator.array(values[0]).prefix(count)))
    },
  ]

  private static let count: Body = { evaluator, values throws(ArcadeError) in
    switch values[0] {
    case .array(let place): return .number(Double(evaluator.elements(place).count))
    case .dictionary(let place): return .number(Double(evaluator.members(place).keys.count))
    case .text(let text): return .number(Double(text.utf16.count))
    case .feature: return .number(Double(evaluator.attributes.fields.count))
    default: throw .wrongValue("counts something that is no list")
    }
  }

  private static let array: Body = { evaluator, values throws(ArcadeError) in
    let count = try values[0].integer()
    guard count >= 0 else { throw .wrongValue("makes an array of a negative length") }
    try evaluator.spend(count)
    return try evaluator.made(
      Array(repeating: values.count > 1 ? values[1] : .null, count: count))
  }

  private static let insert: Body = { evaluator, values throws(ArcadeError) in
    let elements = try evaluator.array(values[0])
    let index = try evaluator.place(values[1], in: elements.count, upTo: elements.count)
    try evaluator.spend(elements.count)
    try evaluator.change(values[0]) { $0.insert(values[2], at: index) }
    return .null
  }

  private static let erase: Body = { evaluator, values throws(ArcadeError) in
    let elements = try evaluator.array(values[0])
    guard !elements.isEmpty else { throw .wrongValue("erases from an empty array") }
    let index = try evaluator.place(values[1], in: elements.count, upTo: elements.count - 1)
    try evaluator.spend(elements.count)
    try evaluator.change(values[0]) { $0.remove(at: index) }
    return .null
  }

  /// Makes an array shorter, or longer by a value.
  private static let resize: Body = { evaluator, values throws(ArcadeError) in
    let count = try evaluator.array(values[0]).count
    let wanted = try values[1].integer()
    guard wanted >= 0 else { throw .wrongValue("makes an array of a negative length") }
    try evaluator.spend(wanted)
    let filling: ArcadeValue = values.count > 2 ? values[2] : .null
    try evaluator.change(values[0]) { elements in
      if wanted < count {
        elements.removeLast(count - wanted)
      } else {
        elements += Array(repeating: filling, count: wanted - count)
      }
    }
    return .null
  }

  /// From a place to before another; counted from the end below zero.
  private static let slice: Body = { evaluator, values throws(ArcadeError) in
    let elements = try evaluator.array(values[0])
    let ends = try values.dropFirst().map { value throws(ArcadeError) in
      let index = try value.integer()
      return min(max(index < 0 ? elements.count + index : index, 0), elements.count)
    }
    let start = ends.first ?? 0
    let end = max(start, ends.count > 1 ? ends[1] : elements.count)
    return try evaluator.made(Array(elements[start..<end]))
  }

  /// All values, and the elements of arrays among them, as one array.
  private static let splice: Body = { evaluator, values throws(ArcadeError) in
    var elements: [ArcadeValue] = []
    for value in values {
      if case .array(let place) = value {
        let found = evaluator.elements(place)
        try evaluator.spend(found.count)
        elements += found
      } else {
        elements.append(value)
      }
    }
    return try evaluator.made(elements)
  }

  private static let distinct: Body = { evaluator, values throws(ArcadeError) in
    var candidates = values
    if values.count == 1, case .array(let place) = values[0] {
      candidates = evaluator.elements(place)
    }
    var elements: [ArcadeValue] = []
    for candidate in candidates where try evaluator.place(of: candidate, in: elements) == nil {
      elements.append(candidate)
    }
    return try evaluator.made(elements)
  }

  // MARK: Functions as arguments

  static let callbacks: [ArcadeFunction] = [
    ArcadeFunction("Filter", 2...2) { evaluator, values throws(ArcadeError) in
      var found: [ArcadeValue] = []
      for element in try evaluator.array(values[0])
      where try evaluator.isTrue(values[1], element) {
        found.append(element)
      }
      return try evaluator.made(found)
    },
    ArcadeFunction("Map", 2...2) { evaluator, values throws(ArcadeError) in
      var mapped: [ArcadeValue] = []
      for element in try evaluator.array(values[0]) {
        mapped.append(try evaluator.call(values[1], with: [element]))
      }
      return try evaluator.made(mapped)
    },
    ArcadeFunction("All", 2...2) { evaluator, values throws(ArcadeError) in
      for element in try evaluator.array(values[0])
      where try !evaluator.isTrue(values[1], element) {
        return .boolean(false)
      }
      return .boolean(true)
    },
    ArcadeFunction("Any", 2...2) { evaluator, values throws(ArcadeError) in
      for element in try evaluator.array(values[0])
      where try evaluator.isTrue(values[1], element) {
        return .boolean(true)
      }
      return .boolean(false)
    },
    ArcadeFunction("None", 2...2) { evaluator, values throws(ArcadeError) in
      for element in try evaluator.array(values[0])
      where try evaluator.isTrue(values[1], element) {
        return .boolean(false)
      }
      return .boolean(true)
    },
    ArcadeFunction("Reduce", 2...3, reduce), ArcadeFunction("Sort", 1...2, sort),
  ]

  private static let reduce: Body = { evaluator, values throws(ArcadeError) in
    var elements = try evaluator.array(values[0])[...]
    guard var result = values.count > 2 ? values[2] : elements.popFirst() else {
      throw .wrongValue("reduces an empty array")
    }
    for element in elements { result = try evaluator.call(values[1], with: [result, element]) }
    return result
  }

  /// In ascending order, or by a function that says which of two comes first.
  private static let sort: Body = { evaluator, values throws(ArcadeError) in
    let elements = try evaluator.array(values[0])
    if values.count > 1 {
      return try evaluator.made(try evaluator.sorted(elements, by: values[1]))
    }
    let kinds = Set(elements.map { $0.typeName ?? "" })
    // Objects have no order of their own: they stay as they are.
    if kinds.contains("Dictionary") || kinds.contains("Feature") {
      return try evaluator.made(elements)
    }
    let haveTexts = kinds.isSubset(of: ["Boolean", "Number", "String"])
    if haveTexts, kinds.count > 1 || kinds == ["Boolean"] {
      return try evaluator.made(try evaluator.sortedAsTexts(elements))
    }
    return try evaluator.made(try evaluator.sorted(elements, by: nil))
  }
}

extension ArcadeEvaluator {
  fileprivate mutating func change(
    _ array: ArcadeValue, _ body: (inout [ArcadeValue]) -> Void
  ) throws(ArcadeError) {
    guard case .array(let place) = array else { return }
    try change(place, body)
  }

  /// The place of the first element that is the same as a value.
  fileprivate mutating func place(
    of value: ArcadeValue, in elements: [ArcadeValue]
  ) throws(ArcadeError) -> Int? {
    try spend(1 + elements.count / 8)
    for (index, element) in elements.enumerated() where try isEqual(element, value) {
      return index
    }
    return nil
  }

  /// A place in an array of so many elements, counted from its end below zero.
  fileprivate func place(
    _ value: ArcadeValue, in count: Int, upTo last: Int
  ) throws(ArcadeError) -> Int {
    let number = try value.integer()
    let index = number < 0 ? count + number : number
    guard index >= 0, index <= last else { throw .noMember(String(number)) }
    return index
  }

  fileprivate mutating func isTrue(
    _ test: ArcadeValue, _ element: ArcadeValue
  ) throws(ArcadeError) -> Bool {
    switch try call(test, with: [element]) {
    case .boolean(let isTrue): return isTrue
    case .number(let number): return number != 0
    default: throw .wrongValue("tests elements with what is neither true nor false")
    }
  }

  /// Merges halves, as the comparison may fail at any time.
  fileprivate mutating func sorted(
    _ elements: [ArcadeValue], by compare: ArcadeValue?
  ) throws(ArcadeError) -> [ArcadeValue] {
    guard elements.count > 1 else { return elements }
    let middle = elements.count / 2
    let first = try sorted(Array(elements[..<middle]), by: compare)
    let second = try sorted(Array(elements[middle...]), by: compare)
    var merged: [ArcadeValue] = []
    var (left, right) = (0, 0)
    while left < first.count, right < second.count {
      try spend()
      if try comesFirst(second[right], first[left], compare) {
        merged.append(second[right])
        right += 1
      } else {
        merged.append(first[left])
        left += 1
      }
    }
    return merged + first[left...] + second[right...]
  }

  /// By their texts, as values of different kinds are; those with the same text stay in their order.
  fileprivate mutating func sortedAsTexts(
    _ elements: [ArcadeValue]
  ) throws(ArcadeError) -> [ArcadeValue] {
    var texts: [String] = []
    for element in elements {
      let text = try text(of: element)
      try spend(8 + text.utf8.count / 8)
      texts.append(text)
    }
    let places = texts.indices.sorted { left, right in
      let (first, second) = (texts[left].utf16, texts[right].utf16)
      return first.lexicographicallyPrecedes(second)
        || (left < right && first.elementsEqual(second))
    }
    return places.map { elements[$0] }
  }

  private mutating func comesFirst(
    _ left: ArcadeValue, _ right: ArcadeValue, _ compare: ArcadeValue?
  ) throws(ArcadeError) -> Bool {
    if let compare { return try call(compare, with: [left, right]).number() < 0 }
    switch (left, right) {
    case (.number, .number), (.text, .text), (.date, .date):
      return try apply(.less, left, right).condition()
    default: throw .wrongValue("sorts values of different kinds")
    }
  }
}
