extension JSONTape {
  /// The number at `place`, whichever way it was written.
  @inlinable
  public func double(at place: Int) -> Double? {
    switch tag(at: place) {
    case UInt8(ascii: "d"): Double(bitPattern: word(at: place + 1))
    case UInt8(ascii: "l"): Double(Int64(bitPattern: word(at: place + 1)))
    case UInt8(ascii: "u"): Double(word(at: place + 1))
    default: nil
    }
  }

  /// The whole number at `place`, if it was written as one and fits 64 bits.
  @inlinable
  public func integer(at place: Int) -> Int64? {
    guard tag(at: place) == UInt8(ascii: "l") else { return nil }
    return Int64(bitPattern: word(at: place + 1))
  }

  /// The text at `place`.
  public func string(at place: Int) -> String? {
    guard tag(at: place) == UInt8(ascii: "\"") else { return nil }
    return unsafe String(decoding: utf8(at: place), as: UTF8.self)
  }

  /// Whether the text at `place` is `text`, byte for byte.
  public func isString(at place: Int, _ text: [UInt8]) -> Bool {
    guard tag(at: place) == UInt8(ascii: "\"") else { return false }
    return unsafe utf8(at: place).elementsEqual(text)
  }

  /// Whether the text at `place` is `text`.
  public func isString(at place: Int, _ text: StaticString) -> Bool {
    guard tag(at: place) == UInt8(ascii: "\"") else { return false }
    return text.withUTF8Buffer { unsafe utf8(at: place).elementsEqual($0) }
  }

  /// The place of the value of the last member called `name` of the object at `place`.
  public func member(_ name: StaticString, of place: Int) -> Int? {
    guard kind(at: place) == .object else { return nil }
    var found: Int?
    var member = first(in: place)
    while !isEnd(at: member) {
      if isString(at: member, name) { found = value(of: member) }
      member = next(after: value(of: member))
    }
    return found
  }

  /// The value at `place` with all that is in it.
  ///
  /// Recursion is bounded by ``JSONValue/maximumDepth``, which the parser has enforced.
  public func value(at place: Int) -> JSONValue {
    switch kind(at: place) {
    case .null, .end: .null
    case .bool: .bool(tag(at: place) == UInt8(ascii: "t"))
    case .integer: .integer(integer(at: place) ?? 0)
    case .number: .number(double(at: place) ?? .nan)
    case .string: .string(string(at: place) ?? "")
    case .array: .array(array(at: place))
    case .object: .object(object(at: place))
    }
  }

  private func array(at place: Int) -> [JSONValue] {
    var elements: [JSONValue] = []
    elements.reserveCapacity(elementCount(at: place))
    var element = first(in: place)
    while !isEnd(at: element) {
      elements.append(value(at: element))
      element = next(after: element)
    }
    return elements
  }

  private func object(at place: Int) -> JSONObject {
    var members: [JSONObject.Member] = []
    members.reserveCapacity(elementCount(at: place))
    var name = first(in: place)
    while !isEnd(at: name) {
      let value = value(of: name)
      members.append(JSONObject.Member(name: string(at: name) ?? "", value: self.value(at: value)))
      name = next(after: value)
    }
    return JSONObject(members)
  }

  /// The bytes of the text at `place`, which must be one.
  private func utf8(at place: Int) -> UnsafeBufferPointer<UInt8> {
    let start = unsafe strings + Int(word(at: place) & 0x00FF_FFFF_FFFF_FFFF)
    let count = unsafe Int(UnsafeRawPointer(start).loadUnaligned(as: UInt32.self))
    return unsafe UnsafeBufferPointer(start: start + 4, count: count)
  }
}
