internal import PortolanExpressions
internal import PortolanJSON

/// The properties of a feature by their names, which are the same only if their code units are.
///
/// A dictionary of Swift's strings takes composed and decomposed letters for the same, unlike the style
/// specification: a feature with both would lose one, and a style would draw what others do not.
struct FeatureProperties: Equatable, Sendable {
  private struct Name: Hashable, Sendable {
    let text: String

    static func == (left: Name, right: Name) -> Bool {
      left.text.hasSameCodeUnits(as: right.text)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(text) }
  }

  private var values: [Name: StyleValue] = [:]

  /// The value of a property; setting `nil` removes it.
  subscript(name: String) -> StyleValue? {
    get { values[Name(text: name)] }
    set { values[Name(text: name)] = newValue }
  }

  /// All properties, in no order.
  var members: some Sequence<(name: String, value: StyleValue)> {
    values.lazy.map { (name: $0.key.text, value: $0.value) }
  }

  /// All properties by name.
  var sorted: [(name: String, value: StyleValue)] {
    members.sorted { $0.name.unicodeScalars.lexicographicallyPrecedes($1.name.unicodeScalars) }
  }

  /// The properties as an object of JSON.
  var json: JSONObject {
    JSONObject(sorted.map { JSONObject.Member(name: $0.name, value: $0.value.json) })
  }

  /// The union of these properties and others, whose values count where both have a property.
  func merging(_ other: FeatureProperties) -> FeatureProperties {
    var merged = self
    for (name, value) in other.members { merged[name] = value }
    return merged
  }
}

extension FeatureProperties: ExpressibleByDictionaryLiteral {
  /// The last value of a name counts.
  init(dictionaryLiteral elements: (String, StyleValue)...) {
    for (name, value) in elements { self[name] = value }
  }
}
