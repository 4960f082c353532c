public import Foundation

/// A file that takes some space, to be removed when the disk is full: then what makes space can still
/// be recorded.
public struct DiskReserve: Sendable {
  private static let byteCount = 256 << 10
  /// The fewest bytes that are worth setting aside.
  private static let fewestBytes = 32 << 10
  /// The bytes that are left to others.
  private static let leftBytes = 96 << 10

  private let url: URL

  /// Describes the reserve in a file, which need not be there.
  public init(at url: URL) { self.url = url }

  /// Sets the space aside, or as much of it as the disk has.
  ///
  /// To be called whenever there may be room again; where the space is set aside, this is one look at
  /// the file.
  public func fill() {
    let taken: Int
    // What cannot be looked at stays as it is.
    do { taken = try FileStatus(at: url)?.byteCount ?? 0 } catch { return }
    guard taken < Self.byteCount else { return }
    let free = FreeSpace.byteCount(at: url.deletingLastPathComponent()) ?? 0
    let wanted = min(Self.byteCount, taken + free - Self.leftBytes)
    // Once there is a part, only the whole is worth writing it again.
    let isFirst = taken < Self.fewestBytes && wanted >= Self.fewestBytes
    guard wanted == Self.byteCount || isFirst else { return }
    // A disk that is full now, or fails, has a smaller reserve or none; nothing is lost by that.
    try? Self.incompressibleBytes(wanted).write(to: url)
  }

  /// Bytes that no disk compresses, as some do with zeros.
  ///
  /// They are no secret: the system's generator would be called once for each number.
  private static func incompressibleBytes(_ count: Int) -> Data {
    var state = UInt64.random(in: 1 ... .max)
    let words = (0..<count / 8).map { _ in
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
