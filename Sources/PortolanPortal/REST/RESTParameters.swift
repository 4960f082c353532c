internal import Foundation
public import PortolanJSON

/// The parameters of a REST request, in order, found by name whatever its case.
///
/// Requests are strict: a parameter without a value is left out rather than sent empty. Neither
/// `description` nor a dump of the type shows values, since a value may be a token or a password.
public struct RESTParameters: Hashable, Sendable {
  /// One parameter.
  public struct Parameter: Hashable, Sendable {
    /// The name as it is sent.
    public let name: String
    /// The value before it is escaped.
    public let value: String
  }

  /// All parameters in order.
  public private(set) var all: [Parameter] = []

  /// Creates no parameters.
  public init() {}

  /// The value under `name`; setting `nil` leaves the parameter out.
  public subscript(name: String) -> String? {
    get { all.first { $0.has(name) }?.value }
    set {
      let index = all.firstIndex { $0.has(name) }
      all.removeAll { $0.has(name) }
      guard let newValue else { return }
      all.insert(Parameter(name: name, value: newValue), at: index ?? all.count)
    }
  }

  /// Sets `name` to a JSON document, as services take geometries and lists of objects.
  public mutating func set(_ name: String, json: JSONValue?) { self[name] = json?.text() }

  /// Sets `name` to `true` or `false`.
  public mutating func set(_ name: String, _ isTrue: Bool?) {
    self[name] = isTrue.map { $0 ? "true" : "false" }
  }

  /// Sets `name` to a whole number.
  public mutating func set(_ name: String, _ number: Int?) { self[name] = number.map { "\($0)" } }

  /// The union of these parameters and those of `other`, which win.
  public func merging(_ other: RESTParameters) -> RESTParameters {
    var merged = self
    for parameter in other.all { merged[parameter.name] = parameter.value }
    return merged
  }

  /// The parameters as `application/x-www-form-urlencoded`, which is also how a query is written.
  ///
  /// A blank becomes `%20` and a plus sign `%2B`: both forms are understood in queries and bodies.
  public var formEncoded: String {
    all.map { "\($0.name.formEscaped)=\($0.value.formEscaped)" }.joined(separator: "&")
  }
}

extension RESTParameters.Parameter {
  fileprivate func has(_ other: String) -> Bool { name.lowercased() == other.lowercased() }
}

extension RESTParameters: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, String?)...) {
    for (name, value) in elements { self[name] = value }
  }
}

extension RESTParameters: CustomStringConvertible, CustomReflectable {
  public var description: String { "parameters \(all.map(\.name).joined(separator: ", "))" }

  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension RESTParameters.Parameter: CustomStringConvertible, CustomReflectable {
  public var description: String { name }

  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension String {
  fileprivate var formEscaped: String {
    addingPercentEncoding(withAllowedCharacters: .formUnreserved) ?? ""
  }
}

extension CharacterSet {
  fileprivate static let formUnreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
