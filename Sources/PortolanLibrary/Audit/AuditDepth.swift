/// The depth of an audit.
public enum AuditDepth: Hashable, Sendable {
  /// Every file is there and has its size; those written to since they were installed are read.
  case quick
  /// Every file is read to its end.
  case deep
}

/// The progress of a deep audit.
public struct AuditProgress: Hashable, Sendable {
  /// The title of the map that is being read.
  public var title: String
  /// The bytes that were read so far, of all maps.
  public var byteCount: Int
  /// The bytes that are to be read.
  public var totalByteCount: Int
}
