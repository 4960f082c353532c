internal import Foundation
internal import PortolanDrawing
internal import PortolanGeometry

/// The places of symbols along the lines of a tile, as the renderers of the style specification
/// choose them; lengths in pixels of the picture.
///
/// Symbols belong to tiles, so that the same are in all pictures of a tile.
struct LineAnchors {
  /// Symbols of one line; more say nothing new.
  private static let maximumCount = 256
  /// The space left free at the start of a line that begins in its tile, in ems.
  private static let leadingEms = 2.0

  /// The distance from symbol to symbol.
  var spacing: Double
  /// The length of a symbol.
  var length: Double
  /// An em of the text.
  var em: Double
  /// The factor by which the tile is drawn larger than it is made for.
  var overscaling: Double
  /// The maximum turn of the line under a text, in degrees; `nil` for icons, which may be anywhere.
  var maximumAngle: Double?

  /// The distances from the start of a line.
  ///
  /// - Parameters:
  ///   - line: The line, cut at the sides of its tile.
  ///   - isContinued: Whether the line begins at a side of its tile.
  ///   - isCentered: Whether there is one symbol, in the middle.
  /// - Returns: The distances, which rise.
  func places(on line: LabelCurve, isContinued: Bool, isCentered: Bool) -> [Double] {
    guard line.length > 0, spacing > 0, length >= 0 else { return [] }
    if isCentered {
      // A text in the middle has room in its tile from end to end, not only for the middles of its letters.
      let hasRoom = maximumAngle == nil || length <= line.length
      return hasRoom && fits(line, at: line.length / 2) ? [line.length / 2] : []
    }
    let spacing = spacing - length < spacing / 4 ? length + spacing / 4 : spacing
    let first =
      isContinued
      ? (spacing / 2 * overscaling).truncatingRemainder(dividingBy: spacing)
      : ((length / 2 + Self.leadingEms * em) * overscaling)
        .truncatingRemainder(dividingBy: spacing)
    let places = stride(from: first, to: line.length, by: spacing).prefix(Self.maximumCount)
      .filter { place in
        place - length / 2 >= 0 && place + length / 2 <= line.length && fits(line, at: place)
      }
    // A line that is too short for the default anchor may have space in its middle.
    let middle = line.length / 2
    let hasRoom = places.isEmpty && !isContinued && length <= line.length
    return hasRoom && fits(line, at: middle) ? [middle] : places
  }

  /// Whether the line bends gently enough under a text: no more than allowed within three fifths of
  /// an em.
  private func fits(_ line: LabelCurve, at place: Double) -> Bool {
    guard let maximumAngle else { return true }
    return line.turnsGently(
      from: place - length / 2, to: place + length / 2, window: em * 0.6, maximumAngle: maximumAngle
    )
  }
}

extension LabelCurve {
  /// Whether the turns of the line within any stretch of `window` are at most `maximumAngle` together.
  func turnsGently(
    from start: Double, to end: Double, window: Double, maximumAngle: Double
  ) -> Bool {
    var recent: [(distance: Double, turn: Double)] = []
    var sum = 0.0
    for turn in turns(from: start, to: end) {
      recent.append(turn)
      sum += turn.turn
      while let first = recent.first, turn.distance - first.distance > window {
        sum -= recent.removeFirst().turn
      }
      if sum > maximumAngle { return false }
    }
    return true
  }
}
