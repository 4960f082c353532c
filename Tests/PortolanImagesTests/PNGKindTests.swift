import Foundation
import Testing

@testable import PortolanImages

/// PNG files of every kind, as other programs write them.
@Suite struct PNGKindTests {
  static let files: [(kind: String, isRead: Bool, base64: String)] = [
    (
      "palette of 1 bit", true,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAkAAAAHAQMAAADgVfUjAAAABlBMVEVEIII8/eZyNWRIAAAAHUlEQVR4nGM4\
      zcD0l4Fx2S2mPgaGfAYWd0GmFgYAQY4FLWGfDJoAAAAASUVORK5CYII=
      """
    ),
    (
      "palette of 2 bits", true,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAkAAAAHAgMAAACn9Y/zAAAADFBMVEXJV1Z0BmZ2z7C064ne2JEdAAAAJUlE\
      QVR4nGMwPefA8LubgSnyKwPjyb2/mHyfMjB82O3A2Gn9BwCZ1gt7utU6vwAAAABJRU5ErkJggg==
      """
    ),
    (
      "palette of 4 bits", true,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAkAAAAHBAMAAAAotXpTAAAAMFBMVEVKElLk2nDmcg/KpNoemEBsGJwkJ56Y\
      UdWBQgQTb+tXE8FmsTJp3WP8NceX/wimzZBbDeQ+AAAAM0lEQVR4nGNkTX3Qs4rJPFTD5gBjqLCD0DOmJ+Kz\
      nxsw6kjEy69j0Nhp1yzAMIHpslgBACVzDZKjg6d5AAAAAElFTkSuQmCC
      """
    ),
    (
      "palette of 8 bits", true,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAkAAAAHCAMAAADtRZdSAAAAeFBMVEXXUjvmVXtRNN7BloH0oTNqohQNBZej\
      5sigzCAgouk5gG7wtoRdap1lfrgpjy3lLq10x50Vp1+im32rMy99cAp8zSWJJCYLBZS3/PBOM6cnWFtMSKOc\
      NpZAaUgQoWlbmd1QGH6BIOTcgODoBcqtV4T4DNUJH7VGQEaSAV8pAAAASUlEQVR4nAXBjQ6AEBQG0G+TtZgb\
      o9CfW4z3f8POgXW5ZT0koUC/gS9aEcpDx1aHA4mJo2Lj4X2N6u5yRueW9GJPgyZK3hOr7we3+AVUf32jAgAA\
      AABJRU5ErkJggg==
      """
    ),
    (
      "palette with clear colours", true,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAkAAAAHBAMAAAAotXpTAAAAMFBMVEUULoIziCpHKeN7w93LVKbgQPlsPdzR\
      PJeOf8ECYeAKD3yFaViRS2aLn4DkVrb71z4urr3zAAAAA3RSTlMAgP/s97MYAAAANUlEQVR4nAEqANX/AWz9\
      xwBgAEK526AwAe7LESnNAMYIbtlQAebKHf1WAhHgB/4wAikoBYYwgGYQtc0aZucAAAAASUVORK5CYII=
      """
    ),
    (
      "grey", true,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAkAAAAHCAAAAAD/8Di8AAAAEklEQVR4nGNkEIECJk4YIJ0FAGN0ApRlMkRg\
      AAAAAElFTkSuQmCC
      """
    ),
    (
      "grey with alpha", true,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAkAAAAHCAQAAABwkq/rAAAAe0lEQVR4nAXBgQ6CIBAAUEQUuBOxZFGnS53+\
      /881WwhK7xW26ifZrHZYQdzde84ogJgFMOMBVrYmes943MlsBi5b3+hQWDw8X57xyF2EpjqLpRlU0uLLZnca\
      H/qXw4RYOuSariA4tjonRWPJcuAdq+UUWkpc2N9nH5L/A27+IkskyvP1AAAAAElFTkSuQmCC
      """
    ),
    (
      "colours", true,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAkAAAAHCAIAAABV+fA3AAAArklEQVR4nAXBiw6CIBQAUIGLgggqerXS1Ja1\
      1v9/Vlu1VvnA7ByCklLbVPVJh4O9nLNyu9PLHo8tdhCYtKg51VRBnH95MUohWO4CD0ZwEt2oGz8R0bBUUxHO\
      aDoiix9ztEWFLMv9W6z6hoSeHzxXp3bvduH09yCxfMr04Nn7NJSKbHSNyRtntBAlhG3jF2FXLJ0fiIohPEKT\
      c8NB7S21JeiVMbPxYP64T28FZNOo/759LttuvJmQAAAAAElFTkSuQmCC
      """
    ),
    (
      "colours with alpha", true,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAkAAAAHCAYAAADam2dgAAAA20lEQVR4nAXB2XKCMBQAUJLccMkCgbBKm4Kg\
      vvb//6nTkelo1ID0HEJdnx+Ro+HppI5n/LbtpTrJt0myhrumqtfzFyTMs2JTg7gkpQMfIxD4811a9Gwud7pW\
      05rSg/g8wEdBNj16xTUGy0Iur0VYYsyz1tAHB4hWHiN7Jrg8nehnYoLIlJ7o5JjQ9tXKPApADYGKTJFp7X3r\
      oGYgKtAr+7kngG8l4DamdNAhXyyX4vXACDAraPPoyr2bZWGMb/00RBbUbjRRrDROxrGk0nK0eK2NH/bfvjPj\
      JsXtH0IPOYQjkgfCAAAAAElFTkSuQmCC
      """
    ),
    (
      "16 bits", false,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAkAAAAHEAAAAACvYOT/AAAAkElEQVR4nAGFAHr/AM632ecUirQi6roDR2Eo\
      mUQC0QE9dl1/B5vvFEID/2XMhkoes+MEBpVJ9WRtDJjx94Pf1UIrYqoLAdd89mnDQnk7JfAAxtRfwtjFWwQW\
      RZ5ZM6Lts7btGswjqFIwvAAAtYBKFdSUS+gJTFgahT28S0EVAJME02mEDpMV122MH930q/v4uvq7Pc/qEVuu\
      AAAAAElFTkSuQmCC
      """
    ),
    (
      "black and white", false,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAkAAAAHAQAAAADy4FrNAAAAEUlEQVR4nGOsZ2RqYGBiQEEAEycBDi2uCSwA\
      AAAASUVORK5CYII=
      """
    ),
    (
      "every filter, in two parts", true,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAkAAAAKCAIAAADpZ+PpAAAAFElEQVR4nAEYAef+AG77zdkuIEJpTHUNNKGL\
      7GcAAAEPSURBVIFP9TLMXwEt2hpv2LEYNAHWPIeOW/UYbSzHP+WW/sk79TZMxWdVg9WT/G0CrPg0BLGIHOGZ\
      M3WMin7SS0KDY9AdTNOKj/WcA4j7bf+88HutWlzmTB2mRW2h/PWoPEFHg3MtGQRYO3NmndinAgqccCtyj66J\
      wgs+qLFHOoBJFbEAJy80maJ/iRm5DyhHzL57MKiMBKQ5tECKzy7zAdbJmnCaRBs4WXtu3owKgIqG8kDONb8j\
      uQ+d5AJDTyZIbverupVRT8PhzzxKipcEBEPCM+sP3dgDjb3Rz+wbMvETABU4R7aKtvJ9eja3UTsUoNixBIEc\
      3tTAt5au4XlJHK46WPmuPgv1a8RZy3QzfxCthGUAtYeAAAAAAElFTkSuQmCC
      """
    ),
    (
      "interlaced", false,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAMAAAADCAAAAAEERNr1AAAAF0lEQVR4nGNgYEhh0OhhMGKIYhBxqwAAD5sC\
      d5UwwbgAAAAASUVORK5CYII=
      """
    ),
  ]

  @Test(arguments: files)
  func `Is read as libpng reads it`(
    _ kind: String, _ isRead: Bool, _ base64: String
  ) throws {
    let data = try #require(Data(base64Encoded: base64))
    #expect((try PNGDecoder.raster(data) != nil) == isRead)
    let (image, expected) = (try PNGDecoder.decode(data), try PNGDecoder.decodeWithLibpng(data))
    #expect((image.width, image.height) == (expected.width, expected.height))
    let isSame = zip(image.pixels, expected.pixels).allSatisfy { left, right in
      [24, 16, 8, 0].allSatisfy { (shift: UInt32) in
        abs(Int(left >> shift & 255) - Int(right >> shift & 255)) <= (left >> 24 == 255 ? 0 : 1)
      }
    }
    #expect(isSame)
  }

  @Test(arguments: files)
  func `A file cut or changed anywhere does no harm`(
    _ kind: String, _ isRead: Bool, _ base64: String
  ) throws {
    let data = try #require(Data(base64Encoded: base64))
    for length in 0..<(data.count - 12) {
      #expect(throws: ImageDecodingError.self) { try PNGDecoder.decode(data.prefix(length)) }
    }
    for index in data.indices {
      var broken = data
      broken[index] ^= 0x2D
      // Whether it can still be read does not matter here.
      _ = try? PNGDecoder.decode(broken)
    }
  }

  @Test func `A few bytes cannot ask for the memory of millions of pixels`() throws {
    var file = PNGFileWriter(width: 4000, height: 4000, .rgb)
    file.append(PNGChunks.Name.data, [0x78, 0x01, 0x03, 0x00, 0, 0, 0, 1])
    file.finish()
    #expect(throws: ImageDecodingError.damaged) { try PNGDecoder.decode(file.data) }
  }
}
