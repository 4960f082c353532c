internal import CCairo
internal import PortolanGeometry

extension Typesetter {
  /// A letter of a text that has been set in one line, with the marks that belong to it.
  struct Letter {
    var text: String
    /// The position at which it begins in the text, in bytes.
    var byte: Int
    /// The distance from the left of the text, in pixels.
    var center: Double
    var width: Double
  }

  /// The letters of the first line of what was set, from the left.
  func letters(of text: String) -> [Letter] {
    guard let iterator = unsafe pango_layout_get_iter(layout) else { return [] }
    defer { unsafe pango_layout_iter_free(iterator) }
    let bytes = Array(text.utf8)
    var places: [(index: Int, box: PangoRectangle)] = []
    repeat {
      var box = PangoRectangle()
      unsafe pango_layout_iter_get_cluster_extents(iterator, nil, &box)
      places.append((unsafe Int(pango_layout_iter_get_index(iterator)), box))
    } while unsafe pango_layout_iter_next_cluster(iterator) != 0
    let starts = places.map(\.index).sorted() + [bytes.count]
    let scale = Double(PANGO_SCALE)
    return places.compactMap { index, box in
      guard let end = starts.first(where: { $0 > index }), bytes.indices.contains(index),
        end <= bytes.count
      else { return nil }
      return Letter(
        text: String(decoding: bytes[index..<end], as: UTF8.self), byte: index,
        center: (Double(box.x) + Double(box.width) / 2) / scale,
        width: Double(box.width) / scale)
    }
  }
}
