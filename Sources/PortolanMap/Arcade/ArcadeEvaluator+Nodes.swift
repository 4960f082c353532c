internal import Foundation
internal import PortolanFeatures

extension ArcadeEvaluator {
  mutating func value(of node: ArcadeNode) throws(ArcadeError) -> ArcadeValue {
    switch node {
    case .null: return .null
    case .boolean(let isTrue): return .boolean(isTrue)
    case .number(let number): return .number(number)
    case .text(let text): return .text(text)
    case .name(let name): return try variable(name)
    case .feature: return .feature
    case .field(let name): return try field(name)
    default: return try deeper { evaluator throws(ArcadeError) in try evaluator.combined(node) }
    }
  }

  /// The value of a node that has others in it.
  private mutating func combined(_ node: ArcadeNode) throws(ArcadeError) -> ArcadeValue {
    switch node {
    case .array(let nodes): return try made(try values(of: nodes))
    case .dictionary(let members): return try dictionary(members)
    case .template(let nodes): return try made(try text(joining: try values(of: nodes)))
    case .not(let node): return .boolean(!(try value(of: node).condition()))
    case .negation(let node): return .number(-(try value(of: node).number()))
    case .plus(let node): return .number(try value(of: node).number())
    case .chain(let first, let rest): return try chain(first, rest)
    case .all(let nodes): return try .boolean(isEach(of: nodes, true))
    case .any(let nodes): return try .boolean(!isEach(of: nodes, false))
    case .assignment(let target, let operation, let node):
      return try assign(target, operation, node)
    case .step(let target, let by, let returnsOld): return try step(target, by, returnsOld)
    case .member(let owner, let key):
      return try member(try value(of: owner), try value(of: key))
    case .call(let name, let arguments): return try call(name, unevaluated: arguments)
    default: return .null
    }
  }

  private mutating func values(of nodes: [ArcadeNode]) throws(ArcadeError) -> [ArcadeValue] {
    var values: [ArcadeValue] = []
    values.reserveCapacity(nodes.count)
    for node in nodes { values.append(try value(of: node)) }
    return values
  }

  private mutating func dictionary(
    _ members: [(key: String, value: ArcadeNode)]
  ) throws(ArcadeError) -> ArcadeValue {
    var dictionary = ArcadeDictionary()
    for (key, node) in members { dictionary[key] = try value(of: node) }
    return try made(dictionary)
  }

  private mutating func chain(
    _ first: ArcadeNode, _ rest: [(ArcadeOperator, ArcadeNode)]
  ) throws(ArcadeError) -> ArcadeValue {
    var result = try value(of: first)
    for (operation, node) in rest {
      try spend()
      result = try apply(operation, result, try value(of: node))
    }
    return result
  }

  /// Whether all are `expected`; what follows the first that is not is not examined.
  private mutating func isEach(
    of nodes: [ArcadeNode], _ expected: Bool
  ) throws(ArcadeError) -> Bool {
    for node in nodes where try value(of: node).condition() != expected { return false }
    return true
  }

  func field(_ name: String) throws(ArcadeError) -> ArcadeValue {
    guard let value = attributes[name] else { throw .noField(name) }
    let isUnknown = context.schema?.isTimeZoneUnknown(of: name) ?? false
    return try ArcadeValue(value, in: isUnknown ? .gmt : context.timeZone)
  }

  // MARK: Members

  /// An element by its number, counted from the end below zero, or a member by its name.
  mutating func member(
    _ owner: ArcadeValue, _ key: ArcadeValue
  ) throws(ArcadeError) -> ArcadeValue {
    switch (owner, key) {
    case (.array(let place), .number):
      let elements = elements(place)
      return elements[try index(key, count: elements.count)]
    case (.dictionary(let place), .text(let name)):
      guard let value = members(place)[name] else { throw .noMember(name) }
      return value
    case (.feature, .text(let name)): return try field(name)
    case (.text(let text), .number):
      let units = Array(text.utf16)
      return try made(String(utf16: [units[try index(key, count: units.count)]]))
    case (.null, _): throw .wrongValue("asks for a member of nothing")
    default: throw .wrongValue("asks for a member of something that has none")
    }
  }

  private func index(_ key: ArcadeValue, count: Int) throws(ArcadeError) -> Int {
    let number = try key.integer()
    let index = number < 0 ? count + number : number
    guard (0..<count).contains(index) else { throw .noMember(String(number)) }
    return index
  }

  // MARK: Assignments

  private mutating func assign(
    _ target: ArcadeTarget, _ operation: ArcadeOperator?, _ node: ArcadeNode
  ) throws(ArcadeError) -> ArcadeValue {
    switch target {
    case .variable(let name):
      var value = try value(of: node)
      if let operation { value = try apply(operation, try variable(name), value) }
      try assign(name, value)
      return value
    case .member(let ownerNode, let keyNode):
      let owner = try self.value(of: ownerNode)
      let key = try self.value(of: keyNode)
      var value = try self.value(of: node)
      if let operation { value = try apply(operation, try member(owner, key), value) }
      try set(key, to: value, in: owner)
      return value
    }
  }

  private mutating func step(
    _ target: ArcadeTarget, _ distance: Double, _ returnsOld: Bool
  ) throws(ArcadeError) -> ArcadeValue {
    switch target {
    case .variable(let name):
      let old = try variable(name).number()
      try assign(name, .number(old + distance))
      return .number(returnsOld ? old : old + distance)
    case .member(let ownerNode, let keyNode):
      let owner = try value(of: ownerNode)
      let key = try value(of: keyNode)
      let old = try member(owner, key).number()
      try set(key, to: .number(old + distance), in: owner)
      return .number(returnsOld ? old : old + distance)
    }
  }

  private mutating func set(
    _ key: ArcadeValue, to value: ArcadeValue, in owner: ArcadeValue
  ) throws(ArcadeError) {
    switch (owner, key) {
    case (.array(let place), .number):
      let count = elements(place).count
      // The place behind the last one makes the array longer; a gap is not allowed.
      if try key.integer() == count {
        try change(place) { $0.append(value) }
      } else {
        let index = try index(key, count: count)
        try change(place) { $0[index] = value }
      }
    case (.dictionary(let place), .text(let name)): try set(name, to: value, in: place)
    case (.feature, _): throw .notSupported("assigning to a field")
    default: throw .wrongValue("assigns to a member of something that has none")
    }
  }

  // MARK: Calls

  /// Functions that choose evaluate only what they choose.
  private mutating func call(
    _ name: String, unevaluated arguments: [ArcadeNode]
  ) throws(ArcadeError) -> ArcadeValue {
    switch name {
    case "iif": return try iif(arguments)
    case "when": return try when(arguments)
    case "decode": return try decode(arguments)
    default: return try call(name, try values(of: arguments))
    }
  }

  private mutating func iif(_ arguments: [ArcadeNode]) throws(ArcadeError) -> ArcadeValue {
    guard arguments.count == 3 else { throw .wrongCount(function: "IIf", count: arguments.count) }
    let isTrue = try value(of: arguments[0]).condition()
    return try value(of: arguments[isTrue ? 1 : 2])
  }

  private mutating func when(_ arguments: [ArcadeNode]) throws(ArcadeError) -> ArcadeValue {
    guard arguments.count >= 3, !arguments.count.isMultiple(of: 2), let last = arguments.last else {
      throw .wrongCount(function: "When", count: arguments.count)
    }
    for index in stride(from: 0, to: arguments.count - 1, by: 2)
    where try value(of: arguments[index]).condition() {
      return try value(of: arguments[index + 1])
    }
    return try value(of: last)
  }

  private mutating func decode(_ arguments: [ArcadeNode]) throws(ArcadeError) -> ArcadeValue {
    guard arguments.count >= 4, arguments.count.isMultiple(of: 2), let last = arguments.last else {
      throw .wrongCount(function: "Decode", count: arguments.count)
    }
    let sought = try value(of: arguments[0])
    for index in stride(from: 1, to: arguments.count - 1, by: 2) {
      try spend()
      guard try isEqual(try value(of: arguments[index]), sought) else { continue }
      return try value(of: arguments[index + 1])
    }
    return try value(of: last)
  }
}

extension String {
  /// A text of UTF-16 units, in which Arcade counts; halves of a pair become a replacement.
  init(utf16 units: some Collection<UInt16>) {
    self = String(decoding: units, as: UTF16.self)
  }
}
