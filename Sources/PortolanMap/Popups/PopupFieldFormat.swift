internal import PortolanJSON

/// The format of a field's values.
public struct PopupFieldFormat: Hashable, Sendable {
  /// The most digits after the point; `nil` for as many as there are.
  public var places: Int?
  /// The fewest digits after the point, though they be zeros; ``places`` by default.
  public var minimumPlaces: Int?
  /// Whether thousands are set apart.
  public var usesDigitSeparator: Bool
  /// The format of dates; `nil` for the default format.
  public var dateFormat: PopupDateFormat?

  /// Creates a format; without arguments values are written as they are.
  public init(
    places: Int? = nil, usesDigitSeparator: Bool = false, dateFormat: PopupDateFormat? = nil
  ) {
    self.places = places
    minimumPlaces = nil
    self.usesDigitSeparator = usesDigitSeparator
    self.dateFormat = dateFormat
  }

  /// Reads the `format` of an entry, else its newer `fieldFormat`.
  init(json: JSONObject) {
    let newer = json.object("fieldFormat")
    if let older = json.object("format") {
      self.init(
        places: older.int("places").map { min(max($0, 0), DecimalText.maximumPlaces) },
        usesDigitSeparator: older.flag("digitSeparator") ?? false,
        dateFormat: older.text("dateFormat").flatMap(PopupDateFormat.init(name:)))
    } else if newer?.text("type") == "number" {
      self.init(
        places: min(max(newer?.int("maximumFractionDigits") ?? 2, 0), DecimalText.maximumPlaces),
        usesDigitSeparator: newer?.text("useGrouping") != "never")
      minimumPlaces = max(newer?.int("minimumFractionDigits") ?? 0, 0)
    } else {
      self.init(dateFormat: newer.flatMap(PopupDateFormat.init(fieldFormat:)))
    }
  }

  /// The format as the older `format`, which all readers know.
  var json: JSONObject {
    var json = JSONObject()
    if let dateFormat { json["dateFormat"] = .string(dateFormat.name) }
    if let places {
      json["places"] = JSONValue(Double(places))
      json["digitSeparator"] = .bool(usesDigitSeparator)
    }
    return json
  }

  /// A number as the format has it.
  func text(of number: Double) -> String {
    guard let places else {
      let text = DecimalText.shortest(number)
      return usesDigitSeparator ? DecimalText.grouped(text) : text
    }
    return DecimalText.fixed(
      number, places: places, atLeast: minimumPlaces ?? places, usesGrouping: usesDigitSeparator)
  }

  /// A whole number as the format has it, to the last digit.
  func text(of whole: Int64) -> String {
    // Digits after the point, all of them zeros, are there only where the document asks for them.
    let most = min(places ?? 0, DecimalText.maximumPlaces)
    let zeros = min(minimumPlaces ?? most, most)
    let text = zeros > 0 ? "\(whole)." + String(repeating: "0", count: zeros) : "\(whole)"
    return usesDigitSeparator ? DecimalText.grouped(text) : text
  }
}
