internal import Foundation
internal import PortolanArchives
internal import PortolanFeatures
internal import PortolanFiles

/// A JSON text in UTF-16, which programs for Windows write, in UTF-8 as it should be.
enum GeoJSONTranscript {
  /// The largest text, which is held in memory.
  private static let maximumSize = 1 << 30

  /// The text in UTF-8; `nil` if it is in that already.
  ///
  /// - Throws: `FeatureStoreError/unsupported(file:feature:)` if it is too large.
  static func text(
    of source: FileByteSource
  ) throws(FeatureStoreError) -> MemoryByteSource? {
    do {
      guard source.count >= 2, let encoding = utf16(beginningWith: try source.read(0..<2)) else {
        return nil
      }
      guard source.count <= maximumSize else { throw tooLarge(source) }
      let bytes = Array(try source.read(0..<source.count))
      let text = encoding.text(of: bytes, isLast: true).bytes
      return MemoryByteSource(Data(text), name: source.name)
    } catch let error as FeatureStoreError {
      throw error
    } catch {
      throw .unreadable(file: source.name, reason: error.plainReason)
    }
  }

  private static func tooLarge(_ source: FileByteSource) -> FeatureStoreError {
    .unsupported(file: source.name, feature: "more than a gigabyte of text in UTF-16")
  }

  /// The encoding, by the byte order mark, or by the half of the first bracket that is zero.
  private static func utf16(beginningWith head: Data) -> UnicodeEncoding? {
    switch Array(head) {
    case [0xFE, 0xFF], [0, 0x5B], [0, 0x7B]: .utf16BigEndian
    case [0xFF, 0xFE], [0x5B, 0], [0x7B, 0]: .utf16LittleEndian
    default: nil
    }
  }
}
