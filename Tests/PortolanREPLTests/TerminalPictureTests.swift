import Foundation
import PortolanApp
import PortolanImages
import Testing

@testable import PortolanREPL

@Suite struct TerminalPictureTests {
  /// Red above blue, black beside white below.
  static func picture(_ format: TerminalPictureFormat) throws -> TerminalPicture {
    let pixels: [UInt32] = [
      0xFFFF_0000, 0xFFFF_0000, 0xFF00_00FF, 0xFF00_00FF, 0xFF00_0000, 0xFFFF_FFFF, 0xFF00_0000,
      0xFFFF_FFFF,
    ]
    let image = try #require(PixelImage(width: 2, height: 4, pixels: pixels))
    let picture = try #require(
      PicturePixels(width: 2, height: 4, pixels: pixels, pngData: try image.pngData()))
    return TerminalPicture(image: picture, format: format, columns: 2)
  }

  @Test func `Half blocks have the colour above and the colour below`() throws {
    let lines = try Self.picture(.blocksInTrueColor).lines
    #expect(
      lines == [
        "\u{1B}[38;2;255;0;0;48;2;0;0;255m▀▀\u{1B}[0m",
        "\u{1B}[38;2;0;0;0;48;2;0;0;0m▀\u{1B}[38;2;255;255;255;48;2;255;255;255m▀\u{1B}[0m",
      ])
  }

  @Test func `Fewer colours are those of the palette`() throws {
    #expect(
      try Self.picture(.blocksIn256Colors).lines.first == "\u{1B}[38;5;196;48;5;21m▀▀\u{1B}[0m")
  }

  @Test func `Without colours letters are darker and lighter`() throws {
    let lines = try Self.picture(.letters).lines
    #expect(lines.count == 2 && lines[1] == "@")
  }

  @Test func `Terminals with pixels get the file`() throws {
    let kitty = try Self.picture(.kitty).lines.joined()
    #expect(kitty.hasPrefix("\u{1B}_Ga=T,f=100,m=0;iVBOR") && kitty.hasSuffix("\u{1B}\\"))
    #expect(try Self.picture(.iTerm2).lines.joined().contains("inline=1"))
    let sixel = try Self.picture(.sixel).lines.joined()
    #expect(sixel.hasPrefix("\u{1B}Pq\"1;1;2;4") && sixel.hasSuffix("\u{1B}\\"))
    // The two upper rows in columns 1 and 2 are red: bit 0; blue is bit 1.
    #expect(sixel.contains("#180@@") && sixel.contains("#5AA"))
  }

  static let environments: [([String: String], TerminalPictureFormat)] = [
    (["TERM": "xterm-kitty"], .kitty), (["TERM_PROGRAM": "WezTerm"], .iTerm2),
    (["TERM": "foot"], .sixel), (["COLORTERM": "truecolor"], .blocksInTrueColor),
    (["TERM": "xterm-256color"], .blocksIn256Colors),
  ]

  @Test(arguments: environments.indices)
  func `The terminal's environment determines its capabilities`(
    _ index: Int
  ) {
    let (environment, format) = Self.environments[index]
    #expect(TerminalPictureFormat(environment: environment, usesColor: true) == format)
    #expect(TerminalPictureFormat(environment: environment, usesColor: false) == .letters)
  }
}
