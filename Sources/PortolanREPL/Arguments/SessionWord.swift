/// Kinds of words that a session offers for completion.
public enum SessionWord: Hashable, Sendable, CaseIterable {
  case layer
  case bookmark
  /// A map that can be opened, stored or online.
  case map
  /// A map that is stored on this device.
  case storedMap
  /// A map in the trash.
  case deletedMap
  /// A web map whose areas are listed.
  case webMap
  /// An area or a package that can be downloaded.
  case area
  /// A download.
  case job
  /// A region of tiles.
  case tileRegion
  /// A source of tiles.
  case tileSource
}
