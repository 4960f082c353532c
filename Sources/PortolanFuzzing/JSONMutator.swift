internal import Foundation
internal import PortolanGeometry
internal import PortolanJSON

/// Changes JSON documents so that they stay JSON: members that are missing, double, or of another
/// type get past the parser to what reads the document.
struct JSONMutator {
  private var random: SplitMix64
  /// Values are repeated or nested once an input: more would multiply.
  private var mayGrow = true

  /// Creates a mutator; the same seed makes the same changes.
  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// A changed copy of `input`, or `nil` if that is no JSON; `others` lend values.
  mutating func mutate(_ input: Data, with others: [Data]) -> Data? {
    // Texts that are no documents, such as damaged ones given as seeds, are for the other mutator.
    guard var value = try? JSONValue(parsing: input) else { return nil }
    let donor = try? JSONValue(parsing: others[random.below(others.count)])  // the same
    for _ in 0...random.below(4) { value = changed(value, donor: donor ?? .null) }
    return value.encoded()
  }

  /// A copy with a change somewhere in the tree.
  private mutating func changed(_ value: JSONValue, donor: JSONValue) -> JSONValue {
    switch value {
    case .array(var elements) where !elements.isEmpty && random.below(6) > 0:
      let index = random.below(elements.count)
      switch random.below(12) {
      case 0: elements.remove(at: index)
      case 1: elements.insert(elements[random.below(elements.count)], at: index)
      case 2 where mayGrow:
        mayGrow = false
        elements += Array(repeating: elements[index], count: random.below(300))
      default: elements[index] = changed(elements[index], donor: donor)
      }
      return .array(elements)
    case .object(let object) where !object.isEmpty && random.below(8) > 0:
      return .object(JSONObject(changed(object.members, donor: donor)))
    default: return replacement(for: value, donor: donor)
    }
  }

  private mutating func changed(
    _ members: [JSONObject.Member], donor: JSONValue
  ) -> [JSONObject.Member] {
    var members = members
    let index = random.below(members.count)
    switch random.below(14) {
    case 0: members.remove(at: index)
    case 1: members[index].name = members[random.below(members.count)].name
    case 2: members[index].value = members[random.below(members.count)].value
    case 3: members.append(.init(name: members[index].name.uppercased(), value: pick(from: donor)))
    default: members[index].value = changed(members[index].value, donor: donor)
    }
    return members
  }

  /// Another value in place of `value`.
  private mutating func replacement(for value: JSONValue, donor: JSONValue) -> JSONValue {
    switch random.below(8) {
    case 0: return .null
    case 1: return [value]
    case 2: return ["type": value, "x": value, "layers": [value]]
    case 3: return Self.numbers[random.below(Self.numbers.count)]
    case 4: return Self.texts[random.below(Self.texts.count)]
    case 5 where mayGrow:
      mayGrow = false
      return nested(value, depth: random.below(400))
    default: return pick(from: donor)
    }
  }

  /// Some value of a document.
  private mutating func pick(from donor: JSONValue) -> JSONValue {
    var value = donor
    while random.below(5) > 0 {
      if let elements = value.array, !elements.isEmpty {
        value = elements[random.below(elements.count)]
      } else if let members = value.object?.members, !members.isEmpty {
        value = members[random.below(members.count)].value
      } else {
        break
      }
    }
    return value
  }

  private mutating func nested(_ value: JSONValue, depth: Int) -> JSONValue {
    let isArray = random.below(2) == 0
    return (0..<depth).reduce(value) { inner, _ in isArray ? [inner] : ["layers": [inner]] }
  }

  private static let numbers: [JSONValue] = [
    0, -1, 1.5, 255, 65536, 2_147_483_648, .integer(.max), .integer(.min), .number(1e308),
    .number(-1e308), .number(.leastNonzeroMagnitude), .number(-0.0), true, false,
  ]

  private static let texts: [JSONValue] = [
    "", "NaN", "-1", "99999999999999999999", "{NAME}", "file:../../x", "\u{0}", "é\u{301}\u{200D}",
    .string(String(repeating: "long ", count: 500)), "2020-02-30T25:61:61Z", "#", "1e999",
  ]
}
