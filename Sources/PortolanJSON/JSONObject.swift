/// The members of a JSON object, in the order they were read or added.
///
/// Two objects are equal when they have the same members, whatever the order.
public struct JSONObject: Sendable {
  /// A name and its value.
  public struct Member: Hashable, Sendable {
    /// The name, unescaped.
    public var name: String

    /// The value.
    public var value: JSONValue

    /// Creates a member.
    public init(name: String, value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// The members in order; names may repeat only if the text that was read repeats them.
  public private(set) var members: [Member]

  /// Creates an object from members in order.
  public init(_ members: [Member] = []) { self.members = members }

  /// The names in order.
  public var names: [String] { members.map(\.name) }

  /// Whether there are no members.
  public var isEmpty: Bool { members.isEmpty }

  /// The value of the last member called `name`; setting `nil` removes it.
  ///
  /// A search along the members: these objects are small.
  public subscript(name: String) -> JSONValue? {
    get { members.last { $0.name == name }?.value }
    set {
      guard let newValue else {
        members.removeAll { $0.name == name }
        return
      }
      if let index = members.lastIndex(where: { $0.name == name }) {
        members[index].value = newValue
      } else {
        members.append(Member(name: name, value: newValue))
      }
    }
  }

  /// The value of the member whose name equals `name` when case is ignored.
  ///
  /// Writers of package metadata disagree on the case of their keys (Docs/FORMATS.md, 1.2).
  public func value(ignoringCase name: String) -> JSONValue? {
    self[name] ?? members.last { $0.name.lowercased() == name.lowercased() }?.value
  }
}

extension JSONObject: Hashable {
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    guard left.members.count == right.members.count else { return false }
    // Each value must be compared only once: twice a level would be exponential in the depth.
    if zip(left.members, right.members).allSatisfy({ $0.name == $1.name }) {
      return zip(left.members, right.members).allSatisfy { $0.value == $1.value }
    }
    // By dictionary, since a search along the members would be quadratic.
    return left.valuesByName == right.valuesByName
  }

  private var valuesByName: [String: JSONValue] {
    Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
  }

  public func hash(into hasher: inout Hasher) {
    // Order must not matter, so only the number of members can be mixed in cheaply.
    hasher.combine(members.count)
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(elements.map { Member(name: $0.0, value: $0.1) })
  }
}
