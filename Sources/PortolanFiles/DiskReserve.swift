public import Foundation

/// A file that takes some space, to be removed when the disk is full: then what makes space can still
/// be recorded.
public struct DiskReserve: Sendable {
  private static let byteCount = 256 << 10

  private let url: URL

  /// Describes the reserve in a file, which need not be there.
  public init(at url: URL) { self.url = url }

  /// Sets the space aside, if there is enough of it.
  public func fill() {
    let path = url.path(percentEncoded: false)
    guard !FileManager.default.fileExists(atPath: path),
      FreeSpace.byteCount(at: url.deletingLastPathComponent()) ?? 0 > 8 * Self.byteCount
    else { return }
    // A disk that is full already, or fails, has no reserve then; nothing is lost by that.
    try? Self.incompressibleBytes().write(to: url)
  }

  /// Bytes that no disk compresses, as some do with zeros.
  ///
  /// They are no secret: the system's generator would be called once for each number.
  private static func incompressibleBytes() -> Data {
    var state = UInt64.random(in: 1 ... .max)
    let words = (0..<byteCount / 8).map { _ in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
    return unsafe words.withUnsafeBytes { unsafe Data($0) }
  }

  /// Gives the space back.
  ///
  /// - Returns: Whether there was any.
  public func release() -> Bool {
    do {
      try FileManager.default.removeItem(at: url)
      return true
    } catch {
      return false
    }
  }
}
