import Foundation

/// Letters of a few strokes as packages hold them: the distances of pixels from rectangles.
enum MadeGlyphs {
  /// A rectangle in pixels of an em of 24, from the corner of the letter: left, top, right, bottom.
  typealias Stroke = (Double, Double, Double, Double)

  static let letters: [(scalar: Int, width: Int, strokes: [Stroke])] = [
    (0x48, 12, [(0, 0, 3, 17), (9, 0, 12, 17), (0, 7, 12, 10)]),  // H
    (0x49, 3, [(0, 0, 3, 17)]),  // I
    (0x4C, 9, [(0, 0, 3, 17), (0, 14, 9, 17)]),  // L
    (0x54, 13, [(0, 0, 13, 3), (5, 0, 8, 17)]),  // T
    (0x20, 0, []),
  ]

  /// The file of the letters up to 255.
  static let range: Data = {
    var stack = ProtoMessage()
    stack.add(1, Array("Strokes".utf8))
    stack.add(2, Array("0-255".utf8))
    for letter in letters { stack.add(3, glyph(letter.scalar, letter.width, letter.strokes)) }
    var file = ProtoMessage()
    file.add(1, stack.bytes)
    return Data(file.bytes)
  }()

  static func glyph(_ scalar: Int, _ width: Int, _ strokes: [Stroke]) -> [UInt8] {
    let height = strokes.isEmpty ? 0 : 17
    var message = ProtoMessage()
    message.add(1, scalar)
    if !strokes.isEmpty { message.add(2, pixels(width, height, strokes)) }
    message.add(3, width)
    message.add(4, height)
    message.add(5, ProtoMessage.zigzag(1))
    message.add(6, ProtoMessage.zigzag(-8))
    message.add(7, strokes.isEmpty ? 7 : width + 3)
    return message.bytes
  }

  private static func pixels(_ width: Int, _ height: Int, _ strokes: [Stroke]) -> [UInt8] {
    (0..<height + 6).flatMap { row in
      (0..<width + 6).map { column in
        let (x, y) = (Double(column) - 2.5, Double(row) - 2.5)
        let distance = strokes.map { Self.distance(x, y, $0) }.min() ?? 9
        return UInt8(min(max(255 - 255 * (distance / 8 + 0.25), 0), 255).rounded())
      }
    }
  }

  /// From a rectangle; less than nothing inside.
  private static func distance(_ x: Double, _ y: Double, _ box: Stroke) -> Double {
    let across = max(box.0 - x, x - box.2)
    let down = max(box.1 - y, y - box.3)
    if across > 0, down > 0 { return (across * across + down * down).squareRoot() }
    return max(across, down)
  }
}
