public import PortolanJSON

/// The parameters of a request, from its query and its form, found whatever the case of the name.
///
/// An empty value counts as absent, since clients send `geometry=` when they mean none
/// (Docs/DEMO-PORTAL.md).
public struct DemoParameters: Sendable {
  private struct Entry: Sendable {
    let name: String
    let key: String
    let value: String
  }

  private var entries: [Entry] = []

  /// Creates parameters from names and values, in that order.
  public init(_ pairs: [(name: String, value: String)] = []) {
    for pair in pairs { append(pair.value, to: pair.name) }
  }

  /// Adds a value; the first one under a name is the one that is found.
  public mutating func append(_ value: String, to name: String) {
    entries.append(Entry(name: name, key: name.lowercased(), value: value))
  }

  /// The names as they were sent, those with empty values too.
  public var names: [String] { entries.map(\.name) }

  /// The value under `name`, `nil` if there is none or it is empty.
  public subscript(name: String) -> String? {
    raw(name).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The value under `name`, the empty one too.
  public func raw(_ name: String) -> String? {
    let key = name.lowercased()
    return entries.first { $0.key == key }?.value
  }

  /// The first value that is there under one of `names`.
  public func first(of names: String...) -> String? {
    names.lazy.compactMap { self[$0] }.first
  }

  /// Whether the value is `true`, in any case, or 1; `nil` if it is absent or no truth value.
  public func bool(_ name: String) -> Bool? {
    switch self[name]?.lowercased() {
    case "true", "1": true
    case "false", "0": false
    default: nil
    }
  }

  /// The whole number under `name`; a fraction of zero counts as none.
  public func int(_ name: String) -> Int? {
    self[name].flatMap { Int($0) ?? Double($0).flatMap { Int(exactly: $0) } }
  }

  /// The number under `name`.
  public func double(_ name: String) -> Double? { self[name].flatMap { Double($0) } }

  /// The parts between commas, without blanks around them and without empty ones.
  public func list(_ name: String) -> [String] {
    (self[name] ?? "").split(separator: ",").map { $0.trimmedOfBlanks }.filter { !$0.isEmpty }
  }

  /// The JSON document under `name`, or `nil` if there is none.
  ///
  /// - Throws: ``DemoFailure/badRequest(_:)`` for what is no JSON.
  public func json(_ name: String) throws(DemoFailure) -> JSONValue? {
    guard let text = self[name] else { return nil }
    do {
      return try JSONValue(parsing: text)
    } catch {
      throw .badRequest("'\(name)' is no JSON.")
    }
  }
}

extension Substring {
  /// The text without blanks at its ends.
  var trimmedOfBlanks: String {
    String(trimmingPrefix(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
