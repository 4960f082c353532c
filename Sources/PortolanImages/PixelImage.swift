public import Foundation
package import PortolanGeometry

/// A picture as pixels.
///
/// Pixels are 32 bits each, row by row from the top: alpha in the highest byte, then red, green and
/// blue, each already multiplied by alpha, as cairo keeps them.
public struct PixelImage: Hashable, Sendable {
  /// The greatest width and height of a picture that is drawn, in pixels.
  public static let maximumSide = 16_384

  /// In pixels, at least 1.
  public let width: Int
  /// In pixels, at least 1.
  public let height: Int
  /// `width * height` of them.
  public let pixels: [UInt32]

  /// Takes over pixels; `nil` if they are not as many as the sides tell.
  public init?(width: Int, height: Int, pixels: [UInt32]) {
    guard width > 0, height > 0, pixels.count == width * height else { return nil }
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// Takes over pixels that were made for these sides.
  init(filling width: Int, _ height: Int, _ pixels: [UInt32]) {
    assert(width > 0 && height > 0 && pixels.count == width * height)
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// Decodes a PNG, JPEG or WebP file.
  ///
  /// - Throws: ``RenderingError/notDecoded(reason:)`` if it is none, is damaged, or is too large.
  public init(decoding data: Data) throws(RenderingError) {
    do throws(ImageDecodingError) {
      self = try ImageDecoder.decode(data)
    } catch {
      throw .notDecoded(reason: error.clause)
    }
  }

  /// The box of the picture, from its top left corner.
  package var box: Envelope {
    Envelope(xMin: 0, yMin: 0, xMax: Double(width), yMax: Double(height))
  }

  /// The goal of encoding a PNG file.
  public enum Encoding: Hashable, Sendable {
    /// A small file.
    case small
    /// A short time.
    case fast
  }

  /// The picture as a PNG file.
  ///
  /// - Throws: ``RenderingError/outOfMemory``.
  public func pngData(_ encoding: Encoding = .small) throws(RenderingError) -> Data {
    switch encoding {
    case .small: try PNGEncoder.encode(self)
    case .fast: try PNGEncoder.encodeFast(self)
    }
  }

  /// The part of the picture in a rectangle of whole pixels; `nil` if it reaches outside.
  package func part(x: Int, y: Int, width: Int, height: Int) -> PixelImage? {
    guard x >= 0, y >= 0, width > 0, height > 0, x <= self.width - width,
      y <= self.height - height
    else { return nil }
    var part: [UInt32] = []
    part.reserveCapacity(width * height)
    for row in y..<(y + height) {
      part += pixels[(row * self.width + x)..<(row * self.width + x + width)]
    }
    return PixelImage(width: width, height: height, pixels: part)
  }
}
