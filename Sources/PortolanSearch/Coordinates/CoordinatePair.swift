internal import Foundation
internal import PortolanGeometry

/// A latitude and a longitude in one text.
///
/// Which is which is said by letters (N, E) or names (lat, lon); else the latitude comes first, unless
/// only the other way round there is such a place, or only the other way round it lies in the map.
struct CoordinatePair: Hashable, Sendable {
  /// Longitude and latitude on WGS 84.
  let coordinate: Coordinate

  /// Reads a text in capitals; `nil` if it is no such pair.
  init?(_ text: String, near extent: Envelope? = nil) {
    let (plain, namesLongitudeFirst) = Self.withoutNames(text)
    guard let (first, second) = Self.halves(of: Self.withDecimalPoints(plain)),
      let first = Angle(first), let second = Angle(second)
    else { return nil }
    guard !Self.isGroupedNumber(plain), !Self.isFraction(plain) else { return nil }
    let isBare = first.hemisphere == nil && second.hemisphere == nil
    let isLongitudeFirst: Bool
    if isBare {
      // "91, 0" is rather two numbers.
      isLongitudeFirst =
        namesLongitudeFirst
        ?? (abs(first.value) > 90
          ? plain.contains(".")
          : extent?.holdsOnlySwapped(latitude: first.value, longitude: second.value) ?? false)
    } else {
      isLongitudeFirst =
        "EW".contains(first.hemisphere ?? " ") || "NS".contains(second.hemisphere ?? " ")
    }
    let (latitude, longitude) = isLongitudeFirst ? (second, first) : (first, second)
    if let side = latitude.hemisphere, !"NS".contains(side) { return nil }
    if let side = longitude.hemisphere, !"EW".contains(side) { return nil }
    // "12, 200" is rather two numbers.
    let mayGoRound = !isBare || plain.contains(".")
    guard abs(latitude.value) <= 90, let x = Self.longitude(longitude.value, mayGoRound) else {
      return nil
    }
    coordinate = Coordinate(x: x, y: latitude.value)
  }

  /// A longitude from -180 to 180; those from 180 to 360 are counted eastward all around the world.
  private static func longitude(_ value: Double, _ mayGoRound: Bool) -> Double? {
    guard abs(value) > 180 else { return value }
    guard mayGoRound, abs(value) <= 360 else { return nil }
    return value > 0 ? value - 360 : value + 360
  }

  // MARK: - Reading

  /// Whether a text is one number with a comma before its thousands: "1,000", "12,050".
  ///
  /// "45,120" may be either, and is a place: no longitude is written with zeros in front.
  private static func isGroupedNumber(_ text: String) -> Bool {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    return parts.count == 2 && parts[1].count == 3 && parts[1].first == "0"
      && parts.allSatisfy { $0.allSatisfy(\.isNumber) }
  }

  /// Whether a text is two whole numbers with a slash, such as "24/7", which is no usual way to write a place.
  private static func isFraction(_ text: String) -> Bool {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 2
      && parts.allSatisfy { part in
        part.contains(where: \.isNumber) && part.allSatisfy { $0.isNumber || $0 == " " }
      }
  }

  /// A text without the names of its halves, and whether they say that the longitude is first.
  private static func withoutNames(_ text: String) -> (text: String, isLongitudeFirst: Bool?) {
    if let numbers = numbersNamedByAxis(text) { return (numbers, true) }
    guard text.contains("LAT") else { return (text, nil) }
    let latitude = text.range(of: "LAT(ITUD(E|INE)?|\\.)?\\s*[:=]?", options: .regularExpression)
    let longitude = text.range(
      of: "(LON(G(ITUD(E|INE)?)?)?|LNG)\\.?\\s*[:=]?", options: .regularExpression)
    guard let latitude, let longitude, !latitude.overlaps(longitude) else { return (text, nil) }
    let isLongitudeFirst = longitude.lowerBound < latitude.lowerBound
    let (early, late) = isLongitudeFirst ? (longitude, latitude) : (latitude, longitude)
    // The second name is where the text is cut in two.
    let unneeded = CharacterSet(charactersIn: " ,;/&")
    let first = text[early.upperBound..<late.lowerBound].trimmingCharacters(in: unneeded)
    // "44.4 lat, -68.2 lon"
    if late.upperBound == text.endIndex, text[..<early.lowerBound].contains(where: \.isNumber) {
      let leading = text[..<early.lowerBound].trimmingCharacters(in: unneeded)
      return ("\(leading);\(first)", isLongitudeFirst)
    }
    return (
      "\(text[..<early.lowerBound])\(first);\(text[late.upperBound...])", isLongitudeFirst
    )
  }

  /// The two numbers of "X: -68.2, Y: 44.4", the first of which is the longitude; `nil` if they are not called
  /// so.
  private static func numbersNamedByAxis(_ text: String) -> String? {
    guard text.first == "X", text.contains("Y") else { return nil }
    let halves = text.dropFirst().split(separator: "Y")
    guard halves.count == 2, halves.allSatisfy({ $0.contains(":") || $0.contains("=") }) else {
      return nil
    }
    let unneeded = CharacterSet(charactersIn: " :=,;/")
    return halves.map { $0.trimmingCharacters(in: unneeded) }.joined(separator: ";")
  }

  /// A text with points for decimal commas: two numbers that a comma cuts, with something else
  /// between them.
  private static func withDecimalPoints(_ text: String) -> String {
    let commas = text.indices.filter { place in
      text[place] == "," && place > text.startIndex && text[text.index(before: place)].isNumber
        && text.index(after: place) < text.endIndex && text[text.index(after: place)].isNumber
    }
    guard commas.count == 2, !text.contains("."),
      text[commas[0]..<commas[1]].dropFirst().contains(where: { !$0.isNumber })
    else { return text }
    var characters = Array(text)
    for comma in commas {
      characters[text.distance(from: text.startIndex, to: comma)] = "."
    }
    return String(characters)
  }

  /// Cuts a text in two: at a comma, semicolon, slash or bar, behind the first hemisphere, before the
  /// second sign or degree, or in the middle of its numbers.
  private static func halves(of text: String) -> (String, String)? {
    // The slash ends a place as ISO 6709 writes it: "+442315-0681228/".
    let isEnded = text.hasSuffix("/")
    let text = isEnded ? String(text.dropLast()) : text
    for separator in [",", ";", "/", "|"] {
      let parts = text.split(separator: separator, omittingEmptySubsequences: false)
      if parts.count == 2 { return (String(parts[0]), String(parts[1])) }
      if parts.count > 2 { return nil }
    }
    let sides = text.indices.filter { "NSEW".contains(text[$0]) }
    if sides.count == 2 {
      let isLeading = sides[0] == text.startIndex
      return cut(text, at: isLeading ? sides[1] : text.index(after: sides[0]))
    }
    guard sides.count < 2 else { return nil }
    if let sign = text.indices.dropFirst().last(where: { "-−+".contains(text[$0]) }) {
      return isEnded ? cut(text, at: sign) : cut(text, atSign: sign)
    }
    return halves(ofNumbersIn: text)
  }

  private static func cut(_ text: String, at place: String.Index) -> (String, String) {
    (String(text[..<place]), String(text[place...]))
  }

  /// Cuts before a sign; "12-45" is a number of a house, and "41.5-88.2" a place.
  private static func cut(_ text: String, atSign sign: String.Index) -> (String, String)? {
    let halves = cut(text, at: sign)
    let isApart = halves.0.last?.isWhitespace ?? false
    return isApart || halves.0.contains(".") && halves.1.contains(".") ? halves : nil
  }

  /// Cuts before the number of the second degree sign, or in the middle of two decimal numbers, of two
  /// numbers of which the first is below zero, of two times degrees and minutes with decimals, or of
  /// two times degrees, minutes and seconds.
  private static func halves(ofNumbersIn text: String) -> (String, String)? {
    let starts = text.indices.filter { place in
      text[place].isNumber
        && (place == text.startIndex || !isInNumber(text[text.index(before: place)]))
    }
    let degrees = text.indices.filter { "°º".contains(text[$0]) }
    if degrees.count == 2, let start = starts.last(where: { $0 < degrees[1] }) {
      return cut(text, at: start)
    }
    guard degrees.isEmpty, [2, 4, 6].contains(starts.count) else { return nil }
    let (first, second) = cut(text, at: starts[starts.count / 2])
    let haveDecimals = first.contains(".") && second.contains(".")
    // No house has a number below zero.
    let isBelowZero = starts.count == 2 && text.prefixMatch(of: #/[\-−]\d/#) != nil
    return haveDecimals || isBelowZero || starts.count == 6 ? (first, second) : nil
  }

  private static func isInNumber(_ character: Character) -> Bool {
    character.isNumber || character == "."
  }
}

extension Envelope {
  /// Whether a place lies here only if its longitude comes first.
  fileprivate func holdsOnlySwapped(latitude: Double, longitude: Double) -> Bool {
    holds(longitude: latitude, latitude: longitude)
      && !holds(longitude: longitude, latitude: latitude)
  }

  /// Whether a place lies here, also where the box continues across the antimeridian.
  func holds(longitude: Double, latitude: Double) -> Bool {
    !isEmpty && (yMin...yMax).contains(latitude)
      && ((xMin...xMax).contains(longitude) || (xMin...xMax).contains(longitude + 360))
  }
}
