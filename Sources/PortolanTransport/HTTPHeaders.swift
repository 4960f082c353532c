/// Header fields in the order they were added, found by name whatever its case.
public struct HTTPHeaders: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  /// One field.
  public struct Field: Hashable, Sendable {
    /// The name as it was given.
    public let name: String
    /// The value, without blanks around it or line breaks in it.
    public let value: String

    /// Creates a field; a line break in the value becomes a blank (RFC 9110, 5.5).
    public init(name: String, value: String) {
      self.name = name
      let blank: UInt8 = 0x20
      let isClean = value.utf8.allSatisfy { $0 >= blank } && value.utf8.first != blank
      self.value =
        isClean && value.utf8.last != blank
        ? value
        : String(value.unicodeScalars.map { $0.value < 0x20 ? " " : Character($0) })
          .trimmingPrefix { $0 == " " }.withoutTrailingBlanks
    }
  }

  /// All fields; a name may occur several times.
  public private(set) var fields: [Field]

  /// Creates headers of `fields`.
  public init(_ fields: [Field] = []) { self.fields = fields }

  /// Creates headers from names and values, in that order.
  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field(name: $0.0, value: $0.1) }
  }

  /// The first value under `name`; setting replaces all of them, `nil` removes them.
  public subscript(name: String) -> String? {
    get { fields.first { $0.hasName(name) }?.value }
    set {
      let first = fields.firstIndex { $0.hasName(name) }
      fields.removeAll { $0.hasName(name) }
      guard let newValue else { return }
      fields.insert(Field(name: name, value: newValue), at: first ?? fields.count)
    }
  }

  /// Every value under `name`, in order.
  public func values(of name: String) -> [String] {
    fields.filter { $0.hasName(name) }.map(\.value)
  }

  /// Adds a field after those of the same name.
  public mutating func append(_ value: String, to name: String) {
    fields.append(Field(name: name, value: value))
  }
}

extension HTTPHeaders.Field {
  fileprivate func hasName(_ other: String) -> Bool {
    name.utf8.count == other.utf8.count && name.lowercased() == other.lowercased()
  }
}

extension Substring {
  fileprivate var withoutTrailingBlanks: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
