internal import Foundation
internal import PortolanFeatures
internal import PortolanJSON

/// Texts as the numbers of their characters, as parts of addresses, and as JSON.
extension ArcadeFunction {
  static let codes: [ArcadeFunction] = [
    ArcadeFunction("FromCharCode", 1...many, fromCharCode),
    ArcadeFunction("FromCodePoint", 1...many, fromCodePoint),
    ArcadeFunction("ToCharCode", 1...2) { evaluator, values throws(ArcadeError) in
      let (units, index) = try evaluator.unit(values)
      return .number(Double(units[index]))
    },
    ArcadeFunction("ToCodePoint", 1...2) { evaluator, values throws(ArcadeError) in
      let (units, index) = try evaluator.unit(values)
      guard UTF16.isLeadSurrogate(units[index]) else { return .number(Double(units[index])) }
      // Texts have no halves of pairs: what follows the first is the second.
      let pair = String(utf16: units[index...].prefix(2))
      return .number(Double(pair.unicodeScalars.first?.value ?? UInt32(units[index])))
    },
    ArcadeFunction("UrlEncode", 1...1, urlEncode),
    ArcadeFunction("FromJSON", 1...1) { evaluator, values throws(ArcadeError) in
      guard case .text(let text) = values[0] else {
        throw .wrongValue("reads JSON of something that is no text")
      }
      return try evaluator.value(parsing: text)
    },
  ]

  private static let fromCharCode: Body = { evaluator, values throws(ArcadeError) in
    var units: [UInt16] = []
    for value in values {
      guard let unit = try UInt16(exactly: value.integer()) else { throw noCharacter }
      units.append(unit)
    }
    let text = String(utf16: units)
    // A half of a pair would become another character.
    guard text.utf16.elementsEqual(units) else { throw noCharacter }
    return try evaluator.made(text)
  }

  private static let fromCodePoint: Body = { evaluator, values throws(ArcadeError) in
    var text = String.UnicodeScalarView()
    for value in values {
      guard let code = try UInt32(exactly: value.integer()), let scalar = Unicode.Scalar(code)
      else { throw noCharacter }
      text.append(scalar)
    }
    return try evaluator.made(String(text))
  }

  private static let noCharacter = ArcadeError.wrongValue("writes the number of no character")

  /// A text as it may be part of an address, or names and values as its query, by their names.
  private static let urlEncode: Body = { evaluator, values throws(ArcadeError) in
    guard case .dictionary(let place) = values[0] else {
      return try evaluator.made(encoded(try evaluator.text(of: values[0])))
    }
    let members = evaluator.members(place)
    var parts: [String] = []
    for key in members.keys.sorted() {
      let value = members[key] ?? .null
      if case .null = value { throw .notSupported("UrlEncode of a missing value") }
      parts.append(encoded(key) + "=" + encoded(try evaluator.text(of: value)))
    }
    return try evaluator.made(parts.joined(separator: "&"))
  }

  private static let unescaped = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.!~*'()")

  private static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: unescaped) ?? ""
  }
}

extension ArcadeEvaluator {
  /// The UTF-16 units of a text, and the place of one of them.
  fileprivate func unit(
    _ values: [ArcadeValue]
  ) throws(ArcadeError) -> (units: [UInt16], index: Int) {
    let units = Array(try text(of: values[0]).utf16)
    let index = values.count > 1 ? try values[1].integer() : 0
    guard units.indices.contains(index) else { throw .noMember(String(index)) }
    return (units, index)
  }

  /// The value of a JSON text.
  mutating func value(parsing text: String) throws(ArcadeError) -> ArcadeValue {
    // A caller that reads it again and again pays for its length.
    try spend(text.utf8.count / 64)
    let json: JSONValue
    do throws(JSONError) {
      json = try JSONValue(parsing: text)
    } catch {
      throw .wrongValue("reads a text that is not JSON")
    }
    return try value(in: json)
  }

  private mutating func value(in json: JSONValue) throws(ArcadeError) -> ArcadeValue {
    switch json {
    case .null: return .null
    case .bool(let isTrue): return .boolean(isTrue)
    case .integer(let number): return try ArcadeValue(.integer(number), in: context.timeZone)
    case .number(let number): return .number(number)
    case .string(let text): return try made(text)
    case .array(let list):
      var elements: [ArcadeValue] = []
      for element in list { elements.append(try member(in: element)) }
      return try made(elements)
    case .object(let object):
      var dictionary = ArcadeDictionary()
      for member in object.members { dictionary[member.name] = try self.member(in: member.value) }
      return try made(dictionary)
    }
  }

  private mutating func member(in json: JSONValue) throws(ArcadeError) -> ArcadeValue {
    try deeper { evaluator throws(ArcadeError) in try evaluator.value(in: json) }
  }
}
