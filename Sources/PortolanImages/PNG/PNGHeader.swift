internal import Foundation

/// The header of a PNG file.
package struct PNGHeader: Hashable, Sendable {
  /// The kind of a pixel's samples.
  package enum ColorKind: UInt8 {
    case gray = 0
    case rgb = 2
    case palette = 3
    case grayWithAlpha = 4
    case rgbWithAlpha = 6

    /// The samples of a pixel.
    var samples: Int {
      switch self {
      case .gray, .palette: 1
      case .grayWithAlpha: 2
      case .rgb: 3
      case .rgbWithAlpha: 4
      }
    }
  }

  /// The bytes of the mark, the header's length and name, and the header.
  static let size = 29
  static let mark: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  package let width: Int
  package let height: Int
  let bitDepth: Int
  /// `nil` for kinds that are not in the standard.
  package let colorKind: ColorKind?
  let isInterlaced: Bool

  /// Reads the header, which is first in every file.
  ///
  /// - Throws: ``ImageDecodingError/damaged`` if it does not, ``ImageDecodingError/tooLarge(width:height:)`` if
  ///   it claims more pixels than are decoded.
  init(of bytes: UnsafeRawBufferPointer) throws(ImageDecodingError) {
    guard bytes.count >= Self.size, unsafe bytes.prefix(8).elementsEqual(Self.mark) else {
      throw .damaged
    }
    width = unsafe Int(bytes.bigEndianInteger(at: 16))
    height = unsafe Int(bytes.bigEndianInteger(at: 20))
    bitDepth = unsafe Int(bytes[24])
    colorKind = unsafe ColorKind(rawValue: bytes[25])
    isInterlaced = unsafe bytes[28] != 0
    guard ImageDecoder.allows(width: width, height: height) else {
      throw .tooLarge(width: width, height: height)
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Four bytes as a number, the highest first; they must be there.
  func bigEndianInteger(at offset: Int) -> UInt32 {
    unsafe UInt32(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }
}
