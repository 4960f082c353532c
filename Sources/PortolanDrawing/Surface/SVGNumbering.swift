internal import Foundation

/// Renumbers the parts of an SVG document.
///
/// Cairo counts surfaces through the whole life of the process and writes the numbers as ids, so the
/// same drawing would give another document each time.
enum SVGNumbering {
  /// The document with the numbers after `surface` in the order in which they appear.
  static func renumbered(_ document: Data) -> Data {
    let mark = Array("surface".utf8)
    var result = Data()
    result.reserveCapacity(document.count)
    var numbers: [Data: Int] = [:]
    var rest = document[...]
    while let found = rest.firstRange(of: mark) {
      let digits = rest[found.upperBound...].prefix { (48...57).contains($0) }
      result += rest[..<found.upperBound]
      if !digits.isEmpty {
        let number = numbers[Data(digits), default: numbers.count + 1]
        numbers[Data(digits)] = number
        result += Data(String(number).utf8)
      }
      rest = rest[digits.endIndex...]
    }
    return result + rest
  }
}
