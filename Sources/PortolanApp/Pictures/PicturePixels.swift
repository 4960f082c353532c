public import Foundation
internal import PortolanImages

/// A picture as pixels, for screens that have no picture files, such as terminals.
public struct PicturePixels: Hashable, Sendable {
  /// The number of columns.
  public let width: Int
  /// The number of rows.
  public let height: Int
  /// The pixels from the top left corner, row by row, as premultiplied 0xAARRGGBB.
  public let pixels: [UInt32]
  /// The picture as a PNG file.
  public let pngData: Data

  /// Takes over pixels, and a PNG file that shows them; `nil` if they are not as many as the sides
  /// tell.
  public init?(width: Int, height: Int, pixels: [UInt32], pngData: Data) {
    guard width > 0, height > 0, pixels.count == width * height else { return nil }
    (self.width, self.height, self.pixels, self.pngData) = (width, height, pixels, pngData)
  }

  /// Decodes PNG, JPEG or WebP; `nil` if these are the bytes of no picture that can be read.
  public init?(decoding data: Data) {
    // Data that is no picture has no pixels.
    guard let image = try? PixelImage(decoding: data) else { return nil }
    let isPNG = data.starts(with: [0x89, 0x50, 0x4E, 0x47])
    // A picture that was decoded can be encoded.
    guard let png = isPNG ? data : try? image.pngData() else { return nil }
    (width, height, pixels, pngData) = (image.width, image.height, image.pixels, png)
  }
}
