internal import Foundation
internal import PortolanGeometry
internal import PortolanImages

/// Copies of a picture side by side, pixel by pixel, counted from a place of the map.
///
/// Cairo counts the pixels of patterns in few bits, from the corner of each picture; here the same
/// place of the map has the same pixel in all of them.
struct PatternSampler {
  private let image: PixelImage
  private let width: Double
  private let height: Double
  private let origin: Coordinate
  private let cosine: Double
  private let sine: Double
  private let skew: Double
  /// The pixels to move by where copies are as large as the picture and fall on whole pixels.
  private let shift: (x: Int, y: Int)?

  /// Copies of `image`, which has about the size of `tile` on the picture.
  init(_ image: PixelImage, _ tile: FillStyle.PictureTile) {
    self.image = image
    width = tile.width
    height = tile.height
    let zero = tile.origin ?? Coordinate(x: 0, y: 0)
    origin = Coordinate(
      x: PixelTransform.whole(zero.x + tile.offset.x),
      y: PixelTransform.whole(zero.y + tile.offset.y))
    let turn = -tile.angle.remainder(dividingBy: 360) * .pi / 180
    (cosine, sine) = (cos(turn), sin(turn))
    skew = tile.skew
    let isPlain =
      turn == 0 && skew == 0 && width == Double(image.width) && height == Double(image.height)
      && origin.x == origin.x.rounded() && origin.y == origin.y.rounded()
      && abs(origin.x) < 1e15 && abs(origin.y) < 1e15
    shift = isPlain ? (Int(origin.x), Int(origin.y)) : nil
  }

  /// The pixels of a box.
  func pixels(columns: Range<Int>, rows: Range<Int>) -> PixelImage? {
    var pixels: [UInt32] = []
    pixels.reserveCapacity(columns.count * rows.count)
    for row in rows {
      for column in columns { pixels.append(pixel(column, row)) }
    }
    return PixelImage(width: columns.count, height: rows.count, pixels: pixels)
  }

  @inline(__always)
  private func pixel(_ column: Int, _ row: Int) -> UInt32 {
    if let shift {
      return image.pixels[
        Self.wrapped(row - shift.y, image.height) * image.width
          + Self.wrapped(column - shift.x, image.width)]
    }
    let (dx, dy) = (Double(column) + 0.5 - origin.x, Double(row) + 0.5 - origin.y)
    let across = dy * cosine - dx * sine
    let along = dx * cosine + dy * sine + skew * across
    let x = share(along / width) * Double(image.width) - 0.5
    let y = share(across / height) * Double(image.height) - 0.5
    let (left, top) = (x.rounded(.down), y.rounded(.down))
    // Places that fall between two shares go the same way, whatever the last digits are.
    let (right, down) = (UInt32((x - left) * 256 + 1e-4), UInt32((y - top) * 256 + 1e-4))
    let (first, upper) = (
      Self.wrapped(Int(left), image.width), Self.wrapped(Int(top), image.height) * image.width
    )
    let second = Self.wrapped(Int(left) + 1, image.width)
    let lower = Self.wrapped(Int(top) + 1, image.height) * image.width
    return Self.mixed(
      Self.mixed(image.pixels[upper + first], image.pixels[upper + second], right),
      Self.mixed(image.pixels[lower + first], image.pixels[lower + second], right), down)
  }

  /// The part of a copy that is passed, from 0 to 1.
  private func share(_ copies: Double) -> Double {
    let share = copies - copies.rounded(.down)
    // Also where the last digit made a whole copy of almost one.
    return share > 1 - 1e-9 || !share.isFinite ? 0 : share
  }

  @inline(__always)
  private static func wrapped(_ number: Int, _ count: Int) -> Int {
    let rest = number % count
    return rest < 0 ? rest + count : rest
  }

  /// A pixel between two, at a share of 256 parts; two channels are worked out at a time.
  @inline(__always)
  private static func mixed(_ low: UInt32, _ high: UInt32, _ share: UInt32) -> UInt32 {
    let (share, rest) = (min(share, 256), 256 - min(share, 256))
    let even = ((low & 0x00FF_00FF) * rest + (high & 0x00FF_00FF) * share) >> 8 & 0x00FF_00FF
    let odd =
      ((low >> 8 & 0x00FF_00FF) * rest + (high >> 8 & 0x00FF_00FF) * share) & 0xFF00_FF00
    return even | odd
  }
}
