package import Foundation

/// Turns encoded pictures into pixels: PNG, JPEG and WebP, whatever their names or types claim.
package enum ImageDecoder {
  /// The greatest number of pixels that is decoded; a few bytes can claim billions.
  static let maximumPixels = 1 << 24

  /// Decodes a picture.
  ///
  /// - Throws: ``ImageDecodingError`` if the bytes are no picture of these kinds, are damaged, or would
  ///   decode to more than ``maximumPixels``.
  package static func decode(_ data: Data) throws(ImageDecodingError) -> PixelImage {
    let head = Array(data.prefix(12))
    if head.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return try PNGDecoder.decode(data) }
    if head.starts(with: [0xFF, 0xD8]) { return try JPEGDecoder.decode(data) }
    if head.starts(with: Array("RIFF".utf8)), head.dropFirst(8).elementsEqual("WEBP".utf8) {
      return try WebPDecoder.decode(data)
    }
    if head.starts(with: Array("GIF8".utf8)) { throw .unsupported("GIF") }
    if head.starts(with: Array("BM".utf8)) { throw .unsupported("BMP") }
    if head.starts(with: Array("<svg".utf8)) || head.starts(with: Array("<?xml".utf8)) {
      throw .unsupported("SVG")
    }
    throw .notAnImage
  }

  /// Whether a picture of these sides may be decoded.
  static func allows(width: Int, height: Int) -> Bool {
    guard width > 0, height > 0 else { return false }
    let (count, overflows) = width.multipliedReportingOverflow(by: height)
    return !overflows && count <= maximumPixels
  }
}

/// The reason why bytes cannot be shown as a picture.
package enum ImageDecodingError: Error, Hashable {
  /// The bytes are like no picture that is known.
  case notAnImage
  /// The picture is of a kind that is not read.
  case unsupported(String)
  /// The picture claims more pixels than are decoded.
  case tooLarge(width: Int, height: Int)
  /// The picture cannot be decoded.
  case damaged

  /// A clause for people: "the picture …".
  package var clause: String {
    switch self {
    case .notAnImage: "the bytes are no picture"
    case .unsupported(let kind): "pictures of the kind \(kind) are not read"
    case .tooLarge(let width, let height): "it claims \(width) by \(height) pixels"
    case .damaged: "the picture is damaged"
    }
  }
}
