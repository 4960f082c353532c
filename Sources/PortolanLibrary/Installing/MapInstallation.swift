public import PortolanFiles

/// A map that is about to take its place, kept in the catalogue until it is known whether it has.
public struct MapInstallation: Hashable, Sendable, Codable {
  /// The record of the map.
  public var map: StoredMap
  /// The path of its files below the folder of all jobs.
  public var staged: String
  /// Its files, which keep their identity when they move.
  public var file: FileIdentity
  /// The new version; `nil` in what an older Portolan has announced.
  public var version: MapVersion?
  /// The version that it replaces, as it is to be recorded then.
  public var previous: MapVersion?

  /// Creates a record.
  public init(
    map: StoredMap, staged: String, file: FileIdentity, version: MapVersion? = nil,
    previous: MapVersion? = nil
  ) {
    self.map = map
    self.staged = staged
    self.file = file
    self.version = version
    self.previous = previous
  }
}
