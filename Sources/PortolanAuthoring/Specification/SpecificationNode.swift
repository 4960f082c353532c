internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap

/// An object of a specification while it is read; what is wrong with it is collected.
struct SpecificationNode {
  private struct Member {
    var value: JSONValue
    var path: SpecificationPath
  }

  let path: SpecificationPath
  let problems: SpecificationProblems
  private var members: [String: Member] = [:]

  /// Reads a value; what is no object counts as an empty one.
  init(_ value: JSONValue, at path: SpecificationPath, _ problems: SpecificationProblems) {
    self.path = path
    self.problems = problems
    guard let object = value.object else {
      problems.add("An object is due here.", at: path)
      return
    }
    for member in object.members {
      members[member.name] = Member(value: member.value, path: path.member(member.name))
    }
  }

  /// The names of the members, sorted.
  var names: [String] { members.keys.sorted() }

  /// The object with the members of another one where it has none of its own.
  func inheriting(from other: SpecificationNode) -> SpecificationNode {
    var node = self
    node.members.merge(other.members) { own, _ in own }
    return node
  }

  /// The object without a member.
  func without(_ name: String) -> SpecificationNode {
    var node = self
    node.members[name] = nil
    return node
  }

  /// The path of a member, also of an absent one.
  func place(of name: String) -> SpecificationPath {
    members[name]?.path ?? path.member(name)
  }

  func add(_ message: String, at name: String? = nil) {
    problems.add(message, at: name.map(place) ?? path)
  }

  /// Refuses all members but those named.
  func allow(_ names: [String]) {
    for (name, member) in members.sorted(by: { $0.key < $1.key }) where !names.contains(name) {
      let near = names.filter { $0.lowercased() == name.lowercased() || $0.isNear(name) }
      let hint = near.first.map { "Did you mean \"\($0)\"?" } ?? "Known are: \(Self.list(names))."
      problems.add("\"\(name)\" is not known here. \(hint)", at: member.path)
    }
  }

  private static func list(_ names: [String]) -> String {
    names.sorted().joined(separator: ", ")
  }

  // MARK: Values

  func value(_ name: String) -> JSONValue? {
    guard let value = members[name]?.value, !value.isNull else { return nil }
    return value
  }

  func text(_ name: String) -> String? {
    read(name, "A text is due here.") { $0.string }
  }

  /// A text that has to be there, and not blank.
  func required(_ name: String) -> String {
    guard value(name) != nil else {
      add("\"\(name)\" is missing.")
      return ""
    }
    let text = text(name) ?? ""
    if text.allSatisfy(\.isWhitespace), value(name)?.string != nil {
      add("The text is empty.", at: name)
      return ""
    }
    return text
  }

  func number(_ name: String) -> Double? {
    read(name, "A number is due here.") { $0.double.flatMap { $0.isFinite ? $0 : nil } }
  }

  func number(_ name: String, in range: ClosedRange<Double>) -> Double? {
    guard let number = number(name) else { return nil }
    guard range.contains(number) else {
      add("The number has to be from \(range.lowerBound) to \(range.upperBound).", at: name)
      return nil
    }
    return number
  }

  /// The denominator of a scale; 0 is none.
  func scale(_ name: String) -> Double? {
    guard let number = number(name) else { return nil }
    guard number >= 0 else {
      add("A scale is its denominator, such as 25000 for 1:25,000.", at: name)
      return nil
    }
    return number
  }

  func integer(_ name: String, in range: ClosedRange<Int>) -> Int? {
    read(name, "A whole number from \(range.lowerBound) to \(range.upperBound) is due here.") {
      $0.int.flatMap { range.contains($0) ? $0 : nil }
    }
  }

  func flag(_ name: String) -> Bool? {
    read(name, "true or false is due here.") { $0.bool }
  }

  func texts(_ name: String) -> [String] {
    read(name, "A list of texts is due here.") { value in
      let texts = value.array?.map(\.string)
      return texts.flatMap { $0.contains(nil) ? nil : $0.compactMap(\.self) }
    } ?? []
  }

  func numbers(_ name: String) -> [Double] {
    read(name, "A list of numbers is due here.") { value in
      let numbers = value.array?.map(\.double)
      return numbers.flatMap { $0.contains(nil) ? nil : $0.compactMap(\.self) }
    } ?? []
  }

  /// One of several words.
  func choice<Choice: RawRepresentable & CaseIterable>(
    _ name: String, of type: Choice.Type
  ) -> Choice? where Choice.RawValue == String {
    let words = type.allCases.map(\.rawValue).joined(separator: ", ")
    return read(name, "One of these is due here: \(words).") { value in
      value.string.flatMap { Choice(rawValue: $0) }
    }
  }

  func node(_ name: String) -> SpecificationNode? {
    value(name).map { SpecificationNode($0, at: place(of: name), problems) }
  }

  func nodes(_ name: String) -> [SpecificationNode] {
    guard let value = value(name) else { return [] }
    guard let elements = value.array else {
      add("A list is due here.", at: name)
      return []
    }
    let place = place(of: name)
    return elements.enumerated().map { SpecificationNode($1, at: place.element($0), problems) }
  }

  /// The members of a member, by name.
  func namedNodes(_ name: String) -> [(name: String, node: SpecificationNode)] {
    guard let object = value(name)?.object else {
      if value(name) != nil { add("An object is due here.", at: name) }
      return []
    }
    let place = place(of: name)
    return object.members.map {
      ($0.name, SpecificationNode($0.value, at: place.member($0.name), problems))
    }
  }

  /// A box in degrees: west, south, east, north.
  ///
  /// One whose west is east of its east lies across the
  /// antimeridian; if it were more than half of the world, its edges are taken for mixed up.
  func box(_ name: String) -> Envelope? {
    guard value(name) != nil else { return nil }
    let numbers = numbers(name)
    guard numbers.count == 4 else {
      add("Four numbers in degrees are due here: [west, south, east, north].", at: name)
      return nil
    }
    guard numbers[0] < numbers[2] || numbers[0] - numbers[2] >= 180,
      numbers[1] < numbers[3],
      abs(numbers[0]) <= 180, abs(numbers[2]) <= 180, abs(numbers[1]) <= 90, abs(numbers[3]) <= 90
    else {
      add(
        "[west, south, east, north]: west must be less than east, or greater across the antimeridian, and "
          + "south less than north, all within -180 to 180 and -90 to 90 degrees.", at: name)
      return nil
    }
    return Envelope(
      west: numbers[0], south: numbers[1], east: numbers[2], north: numbers[3], worldWidth: 360)
  }

  func color(_ name: String) -> RGBAColor? {
    read(name, Self.colorHint) { RGBAColor(specified: $0) }
  }

  func colors(_ name: String) -> [RGBAColor] {
    read(name, "A list of colors is due here. " + Self.colorHint) { value in
      let colors = value.array?.map { RGBAColor(specified: $0) }
      return colors.flatMap { $0.contains(nil) ? nil : $0.compactMap(\.self) }
    } ?? []
  }

  private static let colorHint =
    "A color is \"#rrggbb\", \"#rrggbbaa\" or [red, green, blue, alpha]."

  /// A day or a moment in ISO 8601.
  func date(_ name: String) -> Date? {
    read(name, "A date is due here, such as 2027-06-30 or 2027-06-30T12:00:00Z.") { value in
      value.string.flatMap { CivilDate(parsing: $0)?.date }
    }
  }

  func reference(_ name: String) -> SpatialReference? {
    read(name, "The number of a spatial reference of maps that PROJ knows is due here.") { value in
      guard let wkid = value.int else { return nil }
      let reference =
        wkid == 3857 || wkid == 102_100
        ? .webMercator : SpatialReference(wkid: wkid, latestWKID: wkid)
      // One without properties is not known, and one of heights alone, or from the middle of the earth, has no map.
      guard let properties = try? reference.properties(),
        properties.isGeographic || reference.registered() != nil
      else { return nil }
      return reference
    }
  }

  private func read<Value>(
    _ name: String, _ message: String, _ body: (JSONValue) -> Value?
  ) -> Value? {
    guard let value = value(name) else { return nil }
    guard let result = body(value) else {
      add(message, at: name)
      return nil
    }
    return result
  }
}

extension String {
  /// Whether a file in a package can be called so, with an ending.
  var isFileName: Bool {
    !allSatisfy(\.isWhitespace) && !hasPrefix(".") && utf8.count <= 200
      && !unicodeScalars.contains { "/\\:".unicodeScalars.contains($0) || $0.value < 0x20 }
  }

  /// Whether two names differ in one or two letters only.
  fileprivate func isNear(_ other: String) -> Bool {
    guard abs(count - other.count) <= 2, count > 3 else { return false }
    let difference = Array(lowercased()).difference(from: Array(other.lowercased()))
    return difference.count <= 2
  }
}

extension RGBAColor {
  /// Reads a color as people write it.
  init?(specified value: JSONValue) {
    guard let text = value.string else {
      self.init(json: value)
      return
    }
    let digits = text.dropFirst()
    guard text.hasPrefix("#"), digits.count == 6 || digits.count == 8,
      digits.allSatisfy(\.isHexDigit), let number = UInt32(digits, radix: 16)
    else { return nil }
    let bits = digits.count == 8 ? number : number << 8 | 0xFF
    self.init(
      red: UInt8(truncatingIfNeeded: bits >> 24), green: UInt8(truncatingIfNeeded: bits >> 16),
      blue: UInt8(truncatingIfNeeded: bits >> 8), alpha: UInt8(truncatingIfNeeded: bits))
  }
}
