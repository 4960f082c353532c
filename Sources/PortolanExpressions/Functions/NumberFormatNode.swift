internal import Foundation
internal import PortolanJSON

/// A number formatted for a locale.
struct NumberFormatNode: ExpressionNode {
  private static let optionTypes: [String: ExpressionType] = [
    "locale": .string, "currency": .string, "unit": .string, "min-fraction-digits": .number,
    "max-fraction-digits": .number,
  ]

  let number: any ExpressionNode
  let options: [String: any ExpressionNode]
  let type = ExpressionType.string

  var children: [any ExpressionNode] { [number] + options.values }

  static func parse(_ list: [JSONValue], _ context: ParsingContext) -> (any ExpressionNode)? {
    guard context.hasArguments(list, 2...2),
      let number = context.parse(list[1], at: 1, as: .number)
    else { return nil }
    guard let object = list[2].object else {
      return context.fail("The options of \"number-format\" are an object.")
    }
    if object["currency"] != nil, object["unit"] != nil {
      return context.fail("A number has a currency or a unit, not both.")
    }
    var options: [String: any ExpressionNode] = [:]
    for (name, type) in optionTypes.sorted(by: { $0.key < $1.key }) {
      guard let json = object[name] else { continue }
      guard let option = context.parse(json, at: 1, as: type) else { return nil }
      options[name] = option
    }
    return NumberFormatNode(number: number, options: options)
  }

  func value(_ context: EvaluationContext) throws(EvaluationFault) -> StyleValue {
    var number = try number.value(context).number ?? .nan
    // A NaN has no sign.
    if number.isNaN { number = .nan }
    let place = try options["locale"]?.value(context).string ?? "en-US"
    let locale = Locale(identifier: place)
    if let currency = try options["currency"]?.value(context).string {
      guard currency.utf8.count == 3 else {
        throw EvaluationFault("A currency has a code of three letters.")
      }
      var style = FloatingPointFormatStyle<Double>.Currency(code: currency, locale: locale)
        .rounded(rule: .toNearestOrAwayFromZero)
      let standard = Self.digits(ofCurrency: currency)
      style = style.precision(.fractionLength(try digits(context, or: standard...standard)))
      return .text(number.formatted(style))
    }
    let digits = try digits(context, or: 0...3)
    let text = number.formatted(
      .number.locale(locale).precision(.fractionLength(digits))
        .rounded(rule: .toNearestOrAwayFromZero))
    guard let unit = try options["unit"]?.value(context).string else { return .text(text) }
    guard let suffix = MeasurementSuffix.text(unit, isOne: text == "1") else {
      throw EvaluationFault("\"\(unit.prefix(60))\" is not a unit that is known.")
    }
    // The words after the number are English of the United States, whose gallons are others.
    guard ["en", "en-us", "en_us"].contains(place.lowercased()) else {
      throw EvaluationFault("Units are known for \"en-US\" only, not \"\(place.prefix(60))\".")
    }
    return .text(text + suffix)
  }

  /// The number of fraction digits of prices.
  private static func digits(ofCurrency code: String) -> Int {
    let price = 0.0.formatted(.currency(code: code).locale(Locale(identifier: "en-US")))
    return price.split(separator: ".").dropFirst().first?.filter(\.isNumber).count ?? 0
  }

  private func digits(
    _ context: EvaluationContext, or standard: ClosedRange<Int>
  ) throws(EvaluationFault) -> ClosedRange<Int> {
    func bound(_ name: String) throws(EvaluationFault) -> Int? {
      guard let number = try options[name]?.value(context).number else { return nil }
      guard (0...20).contains(number) else {
        throw EvaluationFault("A number has from 0 to 20 digits behind the point.")
      }
      return Int(number)
    }
    let (least, most) = (try bound("min-fraction-digits"), try bound("max-fraction-digits"))
    let low = least ?? min(standard.lowerBound, most ?? standard.lowerBound)
    let high = most ?? max(standard.upperBound, low)
    guard low <= high else {
      throw EvaluationFault("The least number of digits is greater than the greatest.")
    }
    return low...high
  }
}

/// The suffix of numbers with a unit, in short English.
///
/// - SeeAlso: [Units of ECMA-402](https://tc39.es/ecma402/#table-sanctioned-single-unit-identifiers)
private enum MeasurementSuffix {
  private static let suffixes: [String: String] = [
    "acre": " ac", "celsius": "°C", "centimeter": " cm", "degree": " deg", "fahrenheit": "°F",
    "fluid-ounce": " fl oz", "foot": " ft", "gallon": " gal", "gigabit": " Gb", "gigabyte": " GB",
    "gram": " g", "hectare": " ha", "hour": " hr", "inch": " in", "kilobit": " kb",
    "kilobyte": " kB", "kilogram": " kg", "kilometer": " km", "liter": " L", "megabit": " Mb",
    "megabyte": " MB", "meter": " m", "mile": " mi", "mile-scandinavian": " smi",
    "milliliter": " mL", "millimeter": " mm", "millisecond": " ms", "minute": " min",
    "ounce": " oz", "percent": "%", "petabyte": " PB", "pound": " lb", "second": " sec",
    "stone": " st", "terabit": " Tb", "terabyte": " TB", "yard": " yd", "bit": " bit",
    "byte": " byte", "kilometer-per-hour": " km/h", "mile-per-hour": " mph",
    "meter-per-second": " m/s", "mile-per-gallon": " mpg",
  ]

  /// The words in place of "in a" and a unit, where that is not a stroke and the sign of the unit.
  private static let shares: [String: String] = [
    "second": "/s", "hour": "/h", "day": "/d", "week": "/w", "month": "/m", "year": "/y",
  ]

  private static let counted: [String: (one: String, many: String)] = [
    "day": (" day", " days"), "week": (" wk", " wks"), "month": (" mth", " mths"),
    "year": (" yr", " yrs"),
  ]

  static func text(_ unit: String, isOne: Bool) -> String? {
    if let forms = counted[unit] { return isOne ? forms.one : forms.many }
    return suffixes[unit] ?? ratio(unit)
  }

  /// Behind numbers of a unit in each of another, such as `liter-per-kilometer`.
  private static func ratio(_ unit: String) -> String? {
    guard let middle = unit.range(of: "-per-"),
      let upper = suffixes[String(unit[..<middle.lowerBound])]
    else { return nil }
    let lower = String(unit[middle.upperBound...])
    if let share = shares[lower] { return upper + share }
    return suffixes[lower].map { upper + "/" + $0.trimmingCharacters(in: .whitespaces) }
  }
}
