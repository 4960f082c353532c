/// A map that is about to take its place, kept in the catalogue until it has.
public struct MapInstallation: Hashable, Sendable, Codable {
  /// What is to be recorded.
  public var map: StoredMap
  /// The path of its files below the folder of all jobs.
  public var staged: String
  /// Its files, which keep their identity when they move.
  public var file: FileIdentity

  /// Creates a record.
  public init(map: StoredMap, staged: String, file: FileIdentity) {
    self.map = map
    self.staged = staged
    self.file = file
  }
}
