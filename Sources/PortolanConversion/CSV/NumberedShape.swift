internal import PortolanGeometry

/// A shape in well-known text that may begin with the number of its spatial reference, as PostGIS
/// writes it: `SRID=3857;POINT (1 2)`.
struct NumberedShape: Hashable, Sendable {
  /// The shape, in the coordinates of the text.
  let geometry: Geometry
  /// The number; `nil` where none is given, or 0, with which PostGIS says that it is not known.
  let spatialReferenceID: Int?

  /// Reads a text, in any letters.
  ///
  /// - Throws: ``GeometryError`` if it is no shape, or one of a kind that is not supported.
  init(wellKnownText text: String) throws(GeometryError) {
    let start = text.drop(while: \.isWhitespace)
    guard start.prefix(4).lowercased() == "srid" else {
      geometry = try Geometry(wellKnownText: text)
      spatialReferenceID = nil
      return
    }
    let parts = start.dropFirst(4).split(separator: ";", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Self.number(parts[0]) else {
      throw .malformed(
        .wellKnownText, place: "its beginning",
        reason: "the number of the spatial reference is missing")
    }
    geometry = try Geometry(wellKnownText: parts[1])
    spatialReferenceID = number == 0 ? nil : number
  }

  /// The number between `SRID` and the shape, behind its equals sign.
  private static func number(_ text: Substring) -> Int? {
    let words = text.filter { !$0.isWhitespace }
    guard words.first == "=" else { return nil }
    let digits = words.dropFirst()
    return digits.allSatisfy { "0"..."9" ~= $0 } ? Int(digits) : nil
  }
}
