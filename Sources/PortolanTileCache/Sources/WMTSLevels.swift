internal import Foundation
internal import PortolanXML

/// The levels of a tile matrix set of a WMTS that are those of Web Mercator.
struct WMTSLevels {
  /// Why a set is not read.
  struct Mismatch: Error {
    /// The reason, as a clause about the service.
    let reason: String
  }

  /// A level as the service describes it.
  private struct Matrix {
    let name: String
    /// The level by its scale, with pixels of 0.28 mm as the standard has them.
    let exact: Double
    let tileSize: Int
    /// Whether it has the columns and rows that the level has around the world.
    let isOfWorld: Bool

    /// The level that is nearest.
    var level: Int { Int(exact.rounded()) }
    /// How much the scale says otherwise.
    var offset: Double { exact - exact.rounded() }
  }

  /// The scale denominator of level 0 in Web Mercator, with pixels of 0.28 mm.
  private static let worldScale = 559_082_264.028_717_8
  /// By how much of a level scales may differ: services round.
  private static let tolerance = 0.01

  /// How the service names its levels, as a piece of a template.
  let template: String
  /// The levels.
  let levels: ClosedRange<Int>
  /// The pixels along a side of a tile.
  let tileSize: Int

  /// Reads a set.
  ///
  /// - Parameters:
  ///   - set: The set.
  ///   - link: What the layer says of it: on which levels there are tiles, if not on all.
  /// - Throws: ``Mismatch``.
  init(of set: XMLElement, limitedBy link: XMLElement) throws(Mismatch) {
    var found: [Matrix] = []
    for element in set.children where element.name == "TileMatrix" {
      if let matrix = try Self.matrix(element) { found.append(matrix) }
    }
    guard Self.areOfWebMercator(found) else {
      throw Mismatch(
        reason:
          "its scale denominators are not those of Web Mercator, and its levels are not those of the "
          + "whole world, so that it is unclear which they are")
    }
    let limits = Set(
      link.descendants(named: "TileMatrixLimits").compactMap { $0.text(of: "TileMatrix") })
    let limited = found.filter { limits.contains($0.name) }
    // Some servers name other levels there than they have.
    let numbers = (limited.isEmpty ? found : limited).map(\.level)
    guard let first = numbers.min(), let last = numbers.max(), let size = found.first?.tileSize
    else { throw Mismatch(reason: "it has no level of Web Mercator") }
    guard let template = Self.template(of: found.map { ($0.level, $0.name) }) else {
      throw Mismatch(reason: "the names of its levels do not follow their order")
    }
    (self.template, levels, tileSize) = (template, first...last, size)
  }

  /// Whether a set says that it is in Web Mercator.
  static func isInWebMercator(_ set: XMLElement) -> Bool {
    let reference = set.text(of: "SupportedCRS") ?? ""
    return ["3857", "900913", "102100", "102113", "3785"].contains(where: reference.hasSuffix)
  }

  /// A level; `nil` if it is beyond those of Web Mercator.
  private static func matrix(_ element: XMLElement) throws(Mismatch) -> Matrix? {
    guard let name = element.text(of: "Identifier"),
      let scale = element.text(of: "ScaleDenominator").flatMap({ Double($0) }), scale > 0,
      let width = number("TileWidth", of: element), width > 0
    else { throw Mismatch(reason: "a level of it has no name, no scale or no size of tiles") }
    guard beginsInCorner(element) else {
      throw Mismatch(
        reason: "its tiles are not counted from the north-western corner of Web Mercator")
    }
    guard number("TileHeight", of: element) ?? width == width else {
      throw Mismatch(reason: "its tiles are no squares")
    }
    let exact = log2(worldScale / scale * 256 / Double(width))
    guard (-0.49...(Double(MapCacheConfig.greatestZoom) + 0.49)).contains(exact) else { return nil }
    let side = 1 << Int(exact.rounded())
    return Matrix(
      name: name, exact: exact, tileSize: width,
      isOfWorld: number("MatrixWidth", of: element) == side
        && number("MatrixHeight", of: element) == side)
  }

  private static func number(_ name: String, of element: XMLElement) -> Int? {
    element.text(of: name).flatMap { Int($0) }
  }

  /// Whether levels are those of Web Mercator: by their scales, or by how many tiles each has around the world
  /// where all scales are meant for pixels of another size, as of 96 dpi.
  private static func areOfWebMercator(_ matrices: [Matrix]) -> Bool {
    let offset = matrices.first?.offset ?? 0
    return matrices.allSatisfy { abs($0.offset) < tolerance }
      || matrices.allSatisfy { abs($0.offset - offset) < tolerance && $0.isOfWorld }
  }

  /// Whether the tiles of a level are counted from the north-western corner of Web Mercator;
  /// some servers write the north first.
  private static func beginsInCorner(_ matrix: XMLElement) -> Bool {
    guard let corner = matrix.text(of: "TopLeftCorner") else { return true }
    let numbers = corner.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    return numbers.count == 2 && numbers[0] * numbers[1] < 0
      && numbers.allSatisfy { abs(abs($0) - 20_037_508.342_789) < 100 }
  }

  // MARK: - Names

  /// How levels are named, as a piece of a template; `nil` if that follows no order.
  private static func template(of levels: [(level: Int, name: String)]) -> String? {
    // Some write 7, others 07.
    for (placeholder, isPadded) in [("{z}", false), ("{0z}", true)] {
      let prefixes = Set(
        levels.map { level, name -> String? in
          let number = isPadded && level < 10 ? "0\(level)" : "\(level)"
          return name.hasSuffix(number) ? String(name.dropLast(number.count)) : nil
        })
      if prefixes.count == 1, case let prefix?? = prefixes.first {
        return escaped(prefix) + placeholder
      }
    }
    return shiftedTemplate(of: levels)
  }

  /// How levels are named that count from another one, as a piece of a template; `nil` if they do not.
  private static func shiftedTemplate(of levels: [(level: Int, name: String)]) -> String? {
    let names = levels.map { level, name -> (prefix: Substring, first: Int)? in
      let digits = name.reversed().prefix { $0.isASCII && $0.isNumber }.count
      guard let number = Int(name.suffix(digits)), String(number).count == digits else {
        return nil
      }
      return (name.dropLast(digits), number - level)
    }
    guard let (prefix, first) = names.first ?? nil, abs(first) < 100,
      names.allSatisfy({ $0?.prefix == prefix && $0?.first == first })
    else { return nil }
    return escaped(String(prefix)) + TileURLTemplate.placeholder(ofLevelFrom: first)
  }

  /// A text as it is written in a path or a query.
  static func escaped(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed.subtracting(["&", "?", "+"]))
      ?? text
  }
}
