internal import Foundation
internal import PortolanJSON

/// The text of a specification: its values, and the lines on which they begin.
struct SpecificationText: Sendable {
  /// The document.
  let json: JSONValue
  private let lines: [SpecificationPath: Int]
  /// The members that an object has twice, of which readers take either.
  let repeated: [SpecificationPath]

  /// Reads a text.
  ///
  /// - Throws: The place and the reason, if it is no JSON document.
  init(_ data: Data) throws(SpecificationProblem) {
    var scanner = SpecificationScanner(data)
    let isWellFormed = scanner.scan()
    do throws(JSONError) { json = try JSONValue(parsing: data) } catch {
      let line: Int? =
        switch error {
        case .malformed(_, let offset?): Self.line(at: offset, in: data)
        default: isWellFormed ? nil : scanner.line
        }
      throw SpecificationProblem(line: line, path: "", message: Self.reason(error))
    }
    lines = scanner.lines
    repeated = scanner.repeated
  }

  /// The line of a value, or of the nearest one around it that is in the text.
  func line(of path: SpecificationPath) -> Int? {
    var path: SpecificationPath? = path
    while let place = path {
      if let line = lines[place] { return line }
      path = place.parent
    }
    return nil
  }

  private static func line(at offset: Int, in data: Data) -> Int {
    1 + data.prefix(offset).count { $0 == UInt8(ascii: "\n") }
  }

  private static func reason(_ error: JSONError) -> String {
    switch error {
    case .malformed(let reason, _): "This is not JSON: \(reason)."
    case .nestedTooDeep, .tooManyValues: error.localizedDescription
    }
  }
}

/// Walks along a JSON text and notes the line of each value.
///
/// The grammar is checked by who reads the values; here a text that breaks it only ends the walk,
/// on the line where it does.
struct SpecificationScanner {
  private let bytes: [UInt8]
  private var position = 0
  /// The line that was reached, from 1.
  private(set) var line = 1
  /// The lines on which the values begin.
  private(set) var lines: [SpecificationPath: Int] = [:]
  /// The members that an object has twice.
  private(set) var repeated: [SpecificationPath] = []

  /// Values are not followed deeper than that; no specification is that deep.
  private static let maximumDepth = 64

  init(_ data: Data) { bytes = Array(data) }

  /// Walks along the text; `false` if it broke off.
  mutating func scan() -> Bool {
    guard value(.root, depth: 0) else { return false }
    skipSpace()
    return position == bytes.count
  }

  private mutating func value(_ path: SpecificationPath, depth: Int) -> Bool {
    skipSpace()
    guard depth < Self.maximumDepth, position < bytes.count else { return false }
    lines[path] = line
    switch bytes[position] {
    case UInt8(ascii: "{"): return object(path, depth)
    case UInt8(ascii: "["): return array(path, depth)
    case UInt8(ascii: "\""): return string() != nil
    default: return literal()
    }
  }

  private mutating func object(_ path: SpecificationPath, _ depth: Int) -> Bool {
    position += 1
    if ends(with: "}") { return true }
    var names: Set<String> = []
    while true {
      skipSpace()
      let start = line
      guard let name = string() else { return false }
      if !names.insert(name).inserted { repeated.append(path.member(name)) }
      skipSpace()
      guard take(":"), value(path.member(name), depth: depth + 1) else { return false }
      lines[path.member(name)] = start
      if ends(with: "}") { return true }
      guard take(",") else { return false }
    }
  }

  private mutating func array(_ path: SpecificationPath, _ depth: Int) -> Bool {
    position += 1
    if ends(with: "]") { return true }
    var index = 0
    while true {
      guard value(path.element(index), depth: depth + 1) else { return false }
      index += 1
      if ends(with: "]") { return true }
      guard take(",") else { return false }
    }
  }

  /// A string, from quote to quote; `nil` if there is none or it does not end.
  private mutating func string() -> String? {
    guard take("\"") else { return nil }
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      guard bytes[position] != UInt8(ascii: "\n") else { return nil }
      position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard position < bytes.count else { return nil }
    let text = bytes[start..<position]
    position += 1
    guard text.contains(UInt8(ascii: "\\")) else { return String(decoding: text, as: UTF8.self) }
    let quoted = "\"" + String(decoding: text, as: UTF8.self) + "\""
    // An escape that does not exist is found by who reads the values.
    return (try? JSONValue(parsing: quoted))?.string ?? ""
  }

  private mutating func literal() -> Bool {
    let start = position
    while position < bytes.count, !Self.ends.contains(bytes[position]) { position += 1 }
    return position > start
  }

  private static let ends = Set(" \t\r\n,]}:\"{[".utf8)

  private mutating func ends(with letter: Unicode.Scalar) -> Bool {
    skipSpace()
    return take(letter)
  }

  private mutating func take(_ letter: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: letter) else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() {
    while position < bytes.count, Self.spaces.contains(bytes[position]) {
      if bytes[position] == UInt8(ascii: "\n") { line += 1 }
      position += 1
    }
  }

  private static let spaces = Set(" \t\r\n".utf8)
}
