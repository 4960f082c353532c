internal import Foundation
internal import PortolanApp

/// A picture as lines for a terminal.
struct TerminalPicture {
  let image: PicturePixels
  let format: TerminalPictureFormat
  /// The columns that the picture may take.
  let columns: Int
  /// The rows that the picture takes within a line.
  var rows: Int?

  /// The lines, without their ends.
  var lines: [String] {
    switch format {
    case .kitty: [kitty]
    case .iTerm2: [iTerm2]
    case .sixel: [SixelWriter(image).text]
    case .blocksInTrueColor: HalfBlocks(image, columns: columns).lines { Self.trueColor($0, $1) }
    case .blocksIn256Colors: HalfBlocks(image, columns: columns).lines { Self.paletteColor($0, $1) }
    case .letters: HalfBlocks(image, columns: columns).letters
    }
  }

  private var iTerm2: String {
    let size = rows.map { "width=\(columns);height=\($0);" } ?? ""
    return "\u{1B}]1337;File=inline=1;\(size)size=\(image.pngData.count);preserveAspectRatio=1:"
      + image.pngData.base64EncodedString() + "\u{07}"
  }

  /// The file in pieces of at most 4096 letters, as the protocol asks.
  private var kitty: String {
    let encoded = Array(image.pngData.base64EncodedString().utf8)
    let pieces = stride(from: 0, to: encoded.count, by: 4096).map {
      String(decoding: encoded[$0..<min($0 + 4096, encoded.count)], as: UTF8.self)
    }
    let size = rows.map { "c=\(columns),r=\($0)," } ?? ""
    return pieces.enumerated().map { index, piece in
      let head = index == 0 ? "a=T,f=100,\(size)" : ""
      return "\u{1B}_G\(head)m=\(index == pieces.count - 1 ? 0 : 1);\(piece)\u{1B}\\"
    }.joined()
  }

  private static func trueColor(_ color: UInt32, _ isForeground: Bool) -> String {
    "\(isForeground ? 38 : 48);2;\(color >> 16 & 255);\(color >> 8 & 255);\(color & 255)"
  }

  private static func paletteColor(_ color: UInt32, _ isForeground: Bool) -> String {
    func level(_ shift: UInt32) -> UInt32 { ((color >> shift & 255) * 5 + 127) / 255 }
    return "\(isForeground ? 38 : 48);5;\(16 + 36 * level(16) + 6 * level(8) + level(0))"
  }
}
