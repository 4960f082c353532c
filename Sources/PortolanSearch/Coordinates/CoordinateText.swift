internal import Foundation
internal import PortolanGeometry

/// A coordinate as people write it: degrees, degrees and minutes, degrees, minutes and seconds, UTM,
/// MGRS, a plus code, or a link to a map.
struct CoordinateText: Hashable, Sendable {
  /// Longitude and latitude on WGS 84.
  let coordinate: Coordinate

  /// Reads a text; `nil` if it is no coordinate.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - extent: Where the place is rather, on WGS 84, if two numbers may be read either way, or the
  ///     beginning of a grid reference or of a plus code is left out.
  init?(_ text: String, near extent: Envelope? = nil) {
    if let link = MapLink(text) {
      coordinate = link.coordinate
      return
    }
    let narrow = CoordinateForm.withNarrowLetters(text)
    let isCode = narrow.utf8.count <= CoordinateForm.longest && narrow.utf8.contains(0x2B)
    guard isCode || CoordinateForm.isPossible(narrow) else { return nil }
    let text = CoordinateForm.withUsualSigns(narrow)
      .trimmingCharacters(in: .whitespacesAndNewlines).uppercased()
    if isCode,
      let code = PlusCode(text, near: extent) ?? PlusCode(withPlace: text, near: extent)
    {
      coordinate = code.coordinate
      return
    }
    guard CoordinateForm.isPossible(narrow) else { return nil }
    if let point = Self.point(text) {
      coordinate = point
      return
    }
    let plain = Self.withoutPunctuation(
      Self.withoutBrackets(Self.withoutNames(Self.withoutDatum(text))))
    let place =
      Self.place(of: plain, near: extent)
      ?? (Self.withoutHeight(plain) ?? Self.withoutPlainHeight(plain))
      .flatMap { Self.place(of: $0, near: extent) }
    guard let place else { return nil }
    coordinate = place
  }

  private static func place(of text: String, near extent: Envelope?) -> Coordinate? {
    CoordinatePair(CoordinateForm.withSigns(text), near: extent)?.coordinate
      ?? UTMCoordinate(text)?.coordinate ?? MGRSCoordinate(text)?.coordinate
      ?? extent.flatMap { MGRSCoordinate(withoutZone: text, in: $0)?.coordinate }
  }

  /// A text without the name of the datum that all forms are on: "WGS84", "(WGS 84)".
  private static func withoutDatum(_ text: String) -> String {
    guard text.contains("WGS") else { return text }
    return text.replacing(#/\(?WGS[ \-]?(?:19)?84(?!\d)\)?:?/#, with: " ")
      .trimmingCharacters(in: CharacterSet(charactersIn: " ,;"))
  }

  /// A text without the height above the sea that is behind the place, "1200 M", "3900 FT" or "ALT 1200"; `nil` if
  /// there is none.
  private static func withoutHeight(_ text: String) -> String? {
    let unit = ["M", "FT"].first(where: text.hasSuffix)
    var rest = text.dropLast(unit?.count ?? 0)
    while rest.last == " " { rest.removeLast() }
    let number = rest.reversed().prefix { $0.isNumber || $0 == "." }
    guard number.contains(where: \.isNumber) else { return nil }
    rest.removeLast(number.count)
    if let sign = rest.last, "-−+±".contains(sign) { rest.removeLast() }
    let isApart = rest.last.map { " ,;".contains($0) } ?? false
    while let last = rest.last, " :=".contains(last) { rest.removeLast() }
    let word = CoordinateForm.heights.first(where: rest.hasSuffix)
    guard word != nil || unit != nil && isApart else { return nil }
    return rest.dropLast(word?.count ?? 0).trimmingCharacters(in: CharacterSet(charactersIn: " ,;"))
  }

  /// A text without the height behind two numbers with decimals, "50.02,10.03,1200", or behind two hemispheres;
  /// `nil` if there is none, as of three whole numbers.
  private static func withoutPlainHeight(_ text: String) -> String? {
    let number = #/[+\-−]?\d+(?:[.,]\d+)?/#
    if let sides = text.wholeMatch(of: #/([^NSEW]+[NSEW][^NSEW]+[NSEW])[ ,;]+[+\-−]?\d+(?:\.\d+)?/#)
    {
      return String(sides.1)
    }
    for separator in [";", ",", " "] {
      let parts = text.split(separator: separator, omittingEmptySubsequences: separator == " ")
        .map { $0.trimmingCharacters(in: .whitespaces) }
      let decimals = separator == "," ? "." : ".,"
      guard parts.count == 3, parts.allSatisfy({ $0.wholeMatch(of: number) != nil }),
        parts[..<2].allSatisfy({ $0.contains { decimals.contains($0) } })
      else { continue }
      return "\(parts[0])\(separator)\(parts[1])"
    }
    return nil
  }

  /// The place of a text such as `POINT(-68.2 44.4)`, whose longitude is first.
  private static func point(_ text: String) -> Coordinate? {
    guard text.hasPrefix("POINT"), text.hasSuffix(")") else { return nil }
    let rest = text.dropFirst("POINT".count).drop { " Z".contains($0) }
    guard rest.hasPrefix("(") else { return nil }
    let numbers = rest.dropFirst().dropLast().split(whereSeparator: \.isWhitespace)
      .map { Double($0) }
    guard numbers.count == 2 || numbers.count == 3, let x = numbers[0], let y = numbers[1],
      abs(x) <= 360, abs(y) <= 90
    else { return nil }
    // Some count longitudes eastward all around the world.
    return Coordinate(x: abs(x) > 180 ? x - (x > 0 ? 360 : -360) : x, y: y)
  }

  /// A text without the brackets around it, and with blanks for tabs.
  private static func withoutBrackets(_ text: String) -> String {
    let text = text.replacing("\t", with: " ")
    for (opening, closing) in [("(", ")"), ("[", "]"), ("{", "}")]
    where text.hasPrefix(opening) && text.hasSuffix(closing) {
      let inner = text.dropFirst().dropLast().trimmingCharacters(in: .whitespaces)
      // The names of the members of JSON have quotation marks.
      return opening == "{" ? inner.replacing("\"", with: "") : inner
    }
    return text
  }

  /// A text without the name of its form: that of UTM or of MGRS.
  private static func withoutNames(_ text: String) -> String {
    var text = text
    for name in ["UTM", "MGRS", "USNG", "ZONE"] where text.contains(name) {
      text = text.replacing(name, with: " ").trimmingCharacters(
        in: CharacterSet(charactersIn: " :,"))
    }
    return text
  }

  /// A text without signs that say nothing of the place: the full stop of a sentence, the at sign and the
  /// level of a link, commas before hemispheres, and a dash between two halves that have them.
  private static func withoutPunctuation(_ text: String) -> String {
    var text = text
    if text.hasPrefix("@") {
      text.removeFirst()
      if let link = text.wholeMatch(of: #/([^,]+,[^,]+),[\d.]+[ZM].*/#) { text = String(link.1) }
    }
    if text.hasSuffix("."), text.firstMatch(of: #/\.\d+\.$/#) != nil { text.removeLast() }
    guard text.contains(where: { "NS".contains($0) }) else { return text }
    return text.replacing(#/(DEGREES?|MINUTES?|DEG|MIN),/#) { String($0.1) }
      .replacing(#/(\d),([NSEW])(?![A-Z])/#) { "\($0.1)\($0.2)" }
      .replacing(#/([NSEW])\s+-\s+(?=\d)/#) { "\($0.1), " }
  }

  /// The coordinate as a place.
  var result: LocatorResult {
    let format = FloatingPointFormatStyle<Double>.number.precision(.fractionLength(0...6))
      .locale(Locale(identifier: "en_US_POSIX"))
    let (latitude, longitude) = (coordinate.y, coordinate.x)
    let label =
      "\(abs(latitude).formatted(format))° \(latitude < 0 ? "S" : "N"), "
      + "\(abs(longitude).formatted(format))° \(longitude < 0 ? "W" : "E")"
    return LocatorResult(
      label: label, sourceTitle: "Coordinate", score: 100, location: coordinate, extent: nil,
      kind: .coordinate)
  }
}
