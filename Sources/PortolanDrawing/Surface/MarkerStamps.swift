internal import PortolanGeometry
internal import PortolanImages

/// Markers that were drawn once, to be put on many places.
///
/// A place is rounded to an eighth of a pixel, whatever was drawn before, so that a marker has the same
/// pixels in pictures that are put side by side.
struct MarkerStamps {
  /// The places inside of a pixel, along one side.
  private static let phases = 8
  /// Larger markers are rare, and their stamps would take much memory.
  private static let maximumReach = 32.0
  private static let maximumStyles = 32
  /// The pixels that are kept at most.
  private static let maximumPixels = 1 << 20

  /// A marker as it is drawn at one place inside of a pixel.
  struct Stamp: Equatable {
    /// Row by row.
    let pixels: [UInt32]
    /// The columns of the stamp, counted from the pixel that the point is in.
    let columns: Range<Int>
    let rows: Range<Int>

    /// The part of a picture that is not clear, whose middle is the pixel of the point.
    init(_ image: PixelImage, reach: Int) {
      let inked = image.pixels.indices.filter { image.pixels[$0] != 0 }
      let columns = inked.map { $0 % image.width }
      let rows = inked.map { $0 / image.width }
      guard let left = columns.min(), let right = columns.max(), let top = rows.min(),
        let bottom = rows.max()
      else {
        (pixels, self.columns, self.rows) = ([], 0..<0, 0..<0)
        return
      }
      pixels = (top...bottom).flatMap { row in
        image.pixels[(row * image.width + left)...(row * image.width + right)]
      }
      self.columns = (left - reach)..<(right - reach + 1)
      self.rows = (top - reach)..<(bottom - reach + 1)
    }
  }

  /// A stamp, and the pixel that its point is in.
  struct Placed: Equatable {
    let stamp: Stamp
    let column: Int
    let row: Int
  }

  private struct Key: Hashable {
    let style: Int
    let angle: Double
    let phase: Int
  }

  private var styles: [MarkerStyle] = []
  private var stamps: [Key: Stamp] = [:]
  private var pixelCount = 0

  /// The stamp of a marker at a point, whose coordinates are those of a picture; `nil` if it must be
  /// drawn in another way.
  mutating func stamp(
    of style: MarkerStyle, at point: Coordinate, angle: Double
  ) -> Placed? {
    guard (0...Self.maximumReach).contains(style.reach), style.isOfShapes else { return nil }
    let across = Int((point.x * Double(Self.phases)).rounded())
    let down = Int((point.y * Double(Self.phases)).rounded())
    let phase = (x: across & (Self.phases - 1), y: down & (Self.phases - 1))
    let key = Key(style: number(of: style), angle: angle, phase: phase.y * Self.phases + phase.x)
    guard let stamp = stamps[key] ?? made(key, style, phase) else { return nil }
    return Placed(
      stamp: stamp, column: (across - phase.x) / Self.phases, row: (down - phase.y) / Self.phases)
  }

  /// The number of a style: few are drawn in turn, mostly copies, which are found without comparing
  /// the parts of those before them.
  private mutating func number(of style: MarkerStyle) -> Int {
    let known = styles.firstIndex { $0.isCopy(of: style) } ?? styles.firstIndex(of: style)
    if let known { return known }
    if styles.count == Self.maximumStyles { self = MarkerStamps() }
    styles.append(style)
    return styles.count - 1
  }

  private mutating func made(
    _ key: Key, _ style: MarkerStyle, _ phase: (x: Int, y: Int)
  ) -> Stamp? {
    let reach = Int(style.reach.rounded(.up)) + 2
    // For want of memory it is drawn without a stamp.
    guard let surface = try? PictureSurface(width: 2 * reach + 1, rows: 0..<(2 * reach + 1)) else {
      return nil
    }
    let middle = Coordinate(
      x: Double(reach) + Double(phase.x) / Double(Self.phases),
      y: Double(reach) + Double(phase.y) / Double(Self.phases))
    surface.draw(style, at: middle, angle: key.angle)
    guard let image = surface.image() else { return nil }
    let stamp = Stamp(image, reach: reach)
    if pixelCount > Self.maximumPixels { (stamps, pixelCount) = ([:], 0) }
    pixelCount += stamp.pixels.count
    stamps[key] = stamp
    return stamp
  }
}

extension MarkerStyle {
  /// Whether the marker has neither pictures nor texts.
  fileprivate var isOfShapes: Bool {
    graphics.allSatisfy { graphic in
      if case .shape = graphic { true } else { false }
    }
  }

  /// Whether both are the same and share their parts; those that are the same may have parts of their own.
  fileprivate func isCopy(of other: MarkerStyle) -> Bool {
    let sharesParts = unsafe graphics.withUnsafeBufferPointer { parts in
      unsafe other.graphics.withUnsafeBufferPointer { unsafe $0.baseAddress == parts.baseAddress }
    }
    return sharesParts && self == other
  }
}

extension PixelRows {
  /// Puts a stamp over the pixels.
  func put(_ placed: MarkerStamps.Placed) {
    let stamp = placed.stamp
    let (left, top) = (placed.column + stamp.columns.lowerBound, placed.row + stamp.rows.lowerBound)
    let columns = unsafe (left..<left + stamp.columns.count).clamped(to: self.columns)
    let rows = unsafe (top..<top + stamp.rows.count).clamped(to: self.rows)
    unsafe stamp.pixels.withUnsafeBufferPointer { pixels in
      for row in rows {
        let target = unsafe self.row(row)
        let start = (row - top) * stamp.columns.count - left
        for column in columns {
          unsafe Self.put(pixels[start + column], over: target + column)
        }
      }
    }
  }

  /// Puts a pixel over another, both multiplied by their opacity.
  @inline(__always)
  private static func put(_ pixel: UInt32, over target: UnsafeMutablePointer<UInt32>) {
    let alpha = pixel >> 24
    guard pixel != 0 else { return }
    guard alpha < 255 else {
      unsafe target.pointee = pixel
      return
    }
    let (under, rest) = (unsafe target.pointee, 255 - alpha)
    // Two channels at a time, divided by 255 and rounded.
    var even = (under & 0xFF00FF) &* rest &+ 0x80_0080
    even = (even &+ ((even >> 8) & 0xFF00FF)) >> 8 & 0xFF00FF
    var odd = ((under >> 8) & 0xFF00FF) &* rest &+ 0x80_0080
    odd = (odd &+ ((odd >> 8) & 0xFF00FF)) & 0xFF00_FF00
    unsafe target.pointee = pixel &+ (even | odd)
  }
}
