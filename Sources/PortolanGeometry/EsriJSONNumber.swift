internal import PortolanJSON

/// An ordinate in Esri JSON: a number, or `null` or `"NaN"` where there is none.
enum EsriJSONNumber {
  /// The ordinate, not-a-number where there is none, or `nil` if the value is something else.
  ///
  /// Old web maps write ordinates as text, which is accepted.
  static func read(_ value: JSONValue?) -> Double? {
    switch value {
    case .null: .nan
    case .string(let text): text.lowercased() == "nan" ? .nan : Double(text)
    default: value?.double
    }
  }

  /// The way services write an ordinate.
  static func write(_ ordinate: Double) -> JSONValue {
    ordinate.isNaN ? "NaN" : .number(ordinate)
  }
}
