internal import PortolanGeometry
internal import PortolanMap

extension PictureSurface {
  /// Draws letters of a package: pixels from their distances, and in documents, where letters stay
  /// sharp at any size, their outlines.
  func draw(_ text: GlyphText, _ placed: [GlyphText.Placed]) {
    guard !isVector, !isTurned, let clip else { return draw(text.outlined(placed)) }
    // All halos go first, so that none covers a letter beside it.
    if let halo = text.haloPaint {
      unsafe withPixels { pixels in
        let seen = unsafe pixels.clamped(columns: clip.columns, rows: clip.rows)
        for place in placed {
          guard let field = text.letters[place.letter].field else { continue }
          unsafe seen.paint(field, text.transform(of: place, field), halo)
        }
      }
    }
    for place in placed {
      let letter = text.letters[place.letter]
      if let marker = letter.marker {
        put(marker, at: marker.sharpPlace(of: place.station), angle: place.station.angle)
      }
      guard let field = letter.field else { continue }
      let paint = text.paint(of: letter)
      unsafe withPixels { pixels in
        unsafe pixels.clamped(columns: clip.columns, rows: clip.rows)
          .paint(field, text.transform(of: place, field), paint)
      }
    }
  }
}

extension PixelRows {
  /// Covers the pixels under distances, each by the distance that is mixed of the four around it.
  ///
  /// - Parameters:
  ///   - field: The distances.
  ///   - transform: From their pixels to those of the picture.
  ///   - paint: How they become ink.
  func paint(_ field: DistanceField, _ transform: PixelTransform, _ paint: DistancePaint) {
    let blender = ColorBlender(paint.color)
    guard !blender.isClear, let inverse = transform.inverted else { return }
    let seen = field.reach
    let corners = seen.polygon.rings[0].coordinates.map { transform($0) }
    guard
      let columns = unsafe Self.range(corners.map(\.x), in: self.columns),
      let rows = unsafe Self.range(corners.map(\.y), in: self.rows)
    else { return }
    unsafe field.pixels.withUnsafeBufferPointer { distances in
      for row in rows {
        let target = unsafe self.row(row)
        for column in columns {
          let place = inverse(Coordinate(x: Double(column) + 0.5, y: Double(row) + 0.5))
          guard place.x > seen.xMin, place.y > seen.yMin, place.x < seen.xMax, place.y < seen.yMax
          else { continue }
          let distance = unsafe Self.distance(place, distances, field.stride)
          let share = UInt32(paint.coverage(distance) * Double(ColorBlender.whole) + 0.5)
          if share > 0 { unsafe blender.blend(share, over: target + column) }
        }
      }
    }
  }

  /// The distance at a place, mixed of the four pixels whose middles are around it.
  @inline(__always)
  private static func distance(
    _ place: Coordinate, _ distances: UnsafeBufferPointer<UInt8>, _ stride: Int
  ) -> Double {
    let x = place.x + Double(DistanceField.margin) - 0.5
    let y = place.y + Double(DistanceField.margin) - 0.5
    let (column, row) = (Int(x), Int(y))
    let (across, down) = (x - Double(column), y - Double(row))
    let start = row * stride + column
    func mixed(_ index: Int) -> Double {
      let first = unsafe Double(distances[index])
      return first + (unsafe Double(distances[index + 1]) - first) * across
    }
    let upper = mixed(start)
    return upper + (mixed(start + stride) - upper) * down
  }

  /// The pixels between the least and the greatest of some places; `nil` if there are none.
  private static func range(_ places: [Double], in all: Range<Int>) -> Range<Int>? {
    guard let low = places.min(), let high = places.max(), abs(low) < 1e9, abs(high) < 1e9 else {
      return nil
    }
    let range = (Int(low.rounded(.down))..<Int(high.rounded(.up)) + 1).clamped(to: all)
    return range.isEmpty ? nil : range
  }
}
