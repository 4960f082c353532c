internal import PortolanFeatures

extension ArcadeFunction {
  static let logic: [ArcadeFunction] = [
    ArcadeFunction("IsEmpty", 1...1) { _, values in .boolean(values[0].isEmpty) },
    ArcadeFunction("DefaultValue", 2...3, defaultValue),
    ArcadeFunction("HasValue", 2...2) { evaluator, values throws(ArcadeError) in
      .boolean(try evaluator.found(values[0], values[1])?.isEmpty == false)
    },
    ArcadeFunction("HasKey", 2...2) { evaluator, values throws(ArcadeError) in
      .boolean(try evaluator.found(values[0], values[1]) != nil)
    },
    ArcadeFunction("Boolean", 1...1) { _, values throws(ArcadeError) in
      switch values[0] {
      case .boolean(let isTrue): return .boolean(isTrue)
      case .number(let number): return .boolean(number != 0 && !number.isNaN)
      case .text(let text): return .boolean(text.lowercased() == "true")
      case .null: return .boolean(false)
      default: throw .wrongValue("needs a text or a number and has something else")
      }
    },
    ArcadeFunction("TypeOf", 1...1) { _, values throws(ArcadeError) in
      guard let name = values[0].typeName else { throw .notSupported("TypeOf of a missing value") }
      return .text(name)
    },
    ArcadeFunction("Console", 0...many) { _, _ in .null },
    // Says which fields are needed; the parser has taken that down.
    ArcadeFunction("Expects", 1...many) { _, _ in .null },
    ArcadeFunction("Dictionary", 0...many, dictionary),
    ArcadeFunction("DomainName", 2...4, domainName),
    ArcadeFunction("DomainCode", 3...4, domainCode),
  ]

  private static let defaultValue: Body = { evaluator, values throws(ArcadeError) in
    if values.count == 2 { return values[0].isEmpty ? values[1] : values[0] }
    guard let value = try evaluator.found(values[0], values[1]), !value.isEmpty else {
      return values[2]
    }
    return value
  }

  /// From names and values in turn, or from a text in JSON.
  private static let dictionary: Body = { evaluator, values throws(ArcadeError) in
    if values.count == 1, case .text(let text) = values[0] {
      let value = try evaluator.value(parsing: text)
      guard case .dictionary = value else {
        throw .wrongValue("makes a dictionary of a text that is none")
      }
      return value
    }
    guard values.count.isMultiple(of: 2) else {
      throw .notSupported("Dictionary of something other than text, or of names without values")
    }
    var dictionary = ArcadeDictionary()
    for index in stride(from: 0, to: values.count, by: 2) {
      guard case .text(let key) = values[index] else {
        throw .wrongValue("names a member of a dictionary by something that is no text")
      }
      dictionary[key] = values[index + 1]
    }
    return try evaluator.made(dictionary)
  }

  /// The name of the code in a field, or of another code; a code without a name stays.
  private static let domainName: Body = { evaluator, values throws(ArcadeError) in
    let (domain, name) = try evaluator.domain(values)
    let code = try values.count > 2 ? values[2] : evaluator.field(name)
    if case .null = code { return .null }
    guard let domain else { return code }
    let found = domain.codedValues.first { evaluator.isCode($0.code, code) }
    return found.map { .text($0.name) } ?? code
  }

  private static let domainCode: Body = { evaluator, values throws(ArcadeError) in
    let (domain, _) = try evaluator.domain(values)
    let name = try evaluator.text(of: values[2])
    guard let found = domain?.codedValues.first(where: { $0.name == name }) else { return .null }
    return try ArcadeValue(found.code, in: evaluator.context.timeZone)
  }
}

extension ArcadeEvaluator {
  /// A member of a dictionary, an array or the feature, also one inside of others, whose key is the list of
  /// those on the way; `nil` if there is none.
  fileprivate func found(
    _ owner: ArcadeValue, _ key: ArcadeValue
  ) throws(ArcadeError) -> ArcadeValue? {
    switch (owner, key) {
    case (.dictionary(let place), .text(let name)): return members(place)[name]
    case (.feature, .text(let name)): return attributes[name] == nil ? nil : try field(name)
    case (.array(let place), .number):
      let elements = elements(place)
      let index = try key.integer()
      return elements.indices.contains(index) ? elements[index] : nil
    case (.null, _): return nil
    case (_, .array(let place)):
      var member = owner
      for key in elements(place) {
        // A list in a list of keys is no key.
        if case .array = key { throw .wrongValue("looks for a member by something that is no key") }
        guard let next = try found(member, key) else { return nil }
        member = next
      }
      return member
    default: throw .wrongValue("looks for a member in something that has none")
    }
  }

  fileprivate func domain(
    _ values: [ArcadeValue]
  ) throws(ArcadeError) -> (domain: CodedValueDomain?, field: String) {
    guard case .feature = values[0], case .text(let name) = values[1] else {
      throw .wrongValue("asks for the domain of something that is no field")
    }
    guard let schema = context.schema else {
      throw .notSupported("names of coded values, which are not known here")
    }
    let subtype = values.count > 3 ? values[3] : .null
    guard case .codedValue(let domain)? = try self.domain(of: name, subtype, in: schema) else {
      return (nil, name)
    }
    return (domain, name)
  }

  /// The domain of a field in a subtype, or in that of the feature where none is named.
  private func domain(
    of name: String, _ subtype: ArcadeValue, in schema: FeatureTableSchema
  ) throws(ArcadeError) -> Domain? {
    if case .null = subtype { return schema.domain(of: name, in: attributes) }
    guard let type = schema.types.first(where: { isCode($0.id, subtype) }) else {
      throw .wrongValue("asks for the domain of a subtype that there is not")
    }
    let override = type.domains.first { $0.key.lowercased() == name.lowercased() }
    return override?.value ?? schema.field(named: name)?.domain
  }

  fileprivate func isCode(_ code: AttributeValue, _ value: ArcadeValue) -> Bool {
    switch (code, value) {
    case (.text(let code), .text(let text)): code == text
    case (_, .number(let number)): code.number == number
    default: false
    }
  }
}
