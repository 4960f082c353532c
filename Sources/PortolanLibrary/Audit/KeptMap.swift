public import Foundation

/// A damaged map, or what is left of one, that was set aside since it may hold edits.
public struct KeptMap: Hashable, Sendable, Identifiable {
  /// Its name in the folder of what is kept.
  public var name: String
  /// The title of the map of that name, if it is known.
  public var title: String?
  /// Where it is.
  public var url: URL
  /// The bytes in its files.
  public var byteCount: Int
  /// The bytes that they take on the disk.
  public var allocatedByteCount: Int
  /// The paths, below ``url``, of the geodatabases in it, which may hold edits.
  public var geodatabases: [String]

  public var id: String { name }
}
