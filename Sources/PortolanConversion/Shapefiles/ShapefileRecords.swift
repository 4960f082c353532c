/// The offsets of the shapes in a `.shp`, in the order of their rows.
///
/// Programs write a shape that has grown behind all others and leave the old one where it was: then only the
/// `.shx` says which shape is whose.
struct ShapefileRecords {
  /// The length of the header of a `.shp` and of a `.shx`.
  private static let headerLength = 100
  /// The number that both begin with.
  static let mark = 9994

  /// The bytes of the shapes; `nil` for those that the file ends before, or that the index does not name.
  private let places: [Range<Int>?]

  /// Finds the shapes.
  ///
  /// - Parameters:
  ///   - shapes: The `.shp`.
  ///   - index: The `.shx`, which may be of other shapes.
  ///   - rowCount: How many rows there are, if there are any.
  init(_ shapes: ShapefileBytes, index: ShapefileBytes?, rowCount: Int?) {
    let walked = Self.walked(shapes)
    var indexed = index.flatMap { Self.indexed(shapes, $0) }
    // One that was not written to its end says less than the shapes themselves, where none is left over.
    if indexed?.contains(nil) == true, indexed?.count == walked.count { indexed = nil }
    if let indexed, indexed.count == rowCount || walked.count != rowCount {
      places = indexed
    } else {
      places = walked
    }
  }

  /// How many shapes there are, those that the file ends before included.
  var count: Int { places.count }

  /// The bytes of the shape of a row, counted from 0; `nil` if the file does not have them.
  func place(_ row: Int) -> Range<Int>? { places.indices.contains(row) ? places[row] : nil }

  /// The shapes one after the other.
  private static func walked(_ shapes: ShapefileBytes) -> [Range<Int>?] {
    var places: [Range<Int>?] = []
    var offset = headerLength
    while offset + 8 <= shapes.count {
      guard let words = shapes.big(offset + 4), words >= 2,
        offset + 8 + words * 2 <= shapes.count
      else {
        // What is behind the end that the header names was left there, and is no shape.
        let end = shapes.big(24).map { $0 * 2 } ?? 0
        return offset < end ? places + [nil] : places
      }
      places.append(offset + 8..<offset + 8 + words * 2)
      offset += 8 + words * 2
    }
    return places
  }

  /// The shapes as the `.shx` lists them; `nil` if that is none of the file.
  private static func indexed(
    _ shapes: ShapefileBytes, _ index: ShapefileBytes
  ) -> [Range<Int>?]? {
    guard index.big(0) == mark, index.count >= headerLength + 8 else { return nil }
    var places: [Range<Int>?] = []
    var total = 0
    for entry in stride(from: headerLength, through: index.count - 8, by: 8) {
      guard let start = index.big(entry), let words = index.big(entry + 4), start >= 0, words >= 0
      else { return nil }
      let place = start * 2 + 8..<start * 2 + 8 + words * 2
      guard words > 0, place.upperBound <= shapes.count else {
        places.append(words > 0 || start * 2 < headerLength ? nil : place)
        continue
      }
      total += place.count
      // Shapes that are all the same one would make a small file a large one.
      guard start * 2 >= headerLength, shapes.big(start * 2 + 4) == words, total <= shapes.count
      else { return nil }
      places.append(place)
    }
    return places
  }
}
