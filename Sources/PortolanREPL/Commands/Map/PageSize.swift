internal import Foundation

/// The sizes of pages that have names, in points of 1/96 inch, wider than high.
enum PageSize {
  private static let sizes: [(name: String, width: Double, height: Double)] = [
    ("a4", 1122.5, 793.7), ("a3", 1587.4, 1122.5), ("a5", 793.7, 559.4),
    ("letter", 1056, 816), ("legal", 1344, 816), ("tabloid", 1632, 1056),
  ]

  /// The names that can be typed.
  static let names = sizes.flatMap { [$0.name, $0.name + "-portrait"] }

  /// The size that a name stands for.
  static func size(named text: String) -> (width: Double, height: Double)? {
    let name = text.lowercased()
    for size in sizes {
      if name == size.name || name == size.name + "-landscape" { return (size.width, size.height) }
      if name == size.name + "-portrait" { return (size.height, size.width) }
    }
    return nil
  }
}

extension ValueFormat<(width: Double, height: Double)> {
  /// The name of a size of pages, or `WIDTHxHEIGHT`.
  static let pageSize = ValueFormat("a page such as a4 or letter-portrait, or 1000x700") { text in
    if let size = PageSize.size(named: text) { return size }
    let parts = text.lowercased().split(separator: "x", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Double($0) }.filter { (100...16_384).contains($0) }
    return parts.count == 2 && numbers.count == 2 ? (numbers[0], numbers[1]) : nil
  }
}
