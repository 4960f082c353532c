/// The state of a file, which changes when it is written or replaced.
public struct FileStamp: Hashable, Sendable {
  /// The size in bytes.
  public var size: Int64
  /// The number of the file on its disk.
  public var number: UInt64
  /// When its bytes were written last, in nanoseconds since 1970.
  public var modified: Int64
  /// When anything about it was changed last, in nanoseconds since 1970.
  public var changed: Int64

  /// Creates a stamp.
  public init(size: Int64, number: UInt64, modified: Int64, changed: Int64) {
    self.size = size
    self.number = number
    self.modified = modified
    self.changed = changed
  }
}
