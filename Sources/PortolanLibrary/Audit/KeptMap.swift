public import Foundation

/// A damaged map, what is left of one, or a deleted map that was stored again, which was set aside since
/// it may hold edits.
public struct KeptMap: Hashable, Sendable, Identifiable {
  /// Its name in the folder of what is kept.
  public var name: String
  /// The id of the map that it was, where it was one.
  public var mapName: String
  /// The title that it had, else that of the map with that id, if either is known.
  public var title: String?
  /// The location of its files.
  public var url: URL
  /// Whether it had been deleted, and was set aside when the map was stored again.
  public var isDeleted: Bool
  /// The bytes in its files.
  public var byteCount: Int
  /// The bytes that they take on the disk.
  public var allocatedByteCount: Int
  /// The paths, below ``url``, of the geodatabases in it, which may hold edits.
  public var geodatabases: [String]

  public var id: String { name }
}
