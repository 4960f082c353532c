internal import Foundation

/// The outer world of the library: that of this machine, unless a test brings another.
struct LibrarySurroundings: Sendable {
  /// The bytes that are free where a folder is.
  var freeSpace: @Sendable (URL) -> Int? = Self.freeSpace
  /// Measures pauses.
  var clock: any Clock<Duration> = ContinuousClock()
  /// Tells the date.
  var now: @Sendable () -> Date = { Date() }
  /// Makes names.
  var makeID: @Sendable () -> UUID = { UUID() }

  /// The bytes that are free for others than the system's own use.
  private static func freeSpace(_ folder: URL) -> Int? {
    // Where nobody can tell, nothing is refused.
    let attributes = try? FileManager.default.attributesOfFileSystem(
      forPath: folder.path(percentEncoded: false))
    return (attributes?[.systemFreeSize] as? NSNumber)?.intValue
  }
}
