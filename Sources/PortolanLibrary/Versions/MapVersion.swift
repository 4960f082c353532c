/// One version of a stored map, with what its files were when it was installed.
public struct MapVersion: Hashable, Sendable, Codable {
  /// The record of the map while this version is the current one.
  public var map: StoredMap
  /// Its files by path; empty if nothing is known of them.
  public var files: [StoredFile]
  /// Whether editing has begun: its geodatabases then differ from what was installed.
  public var isEdited = false
  /// Whether it has taken over geodatabases, with their edits, from the version before.
  public var hasCarried = false
  /// The paths of those geodatabases, without any that was downloaded instead in the end; `nil` in records
  /// from before they were noted.
  var carried: [String]?
  /// On which day of use another version replaced it; `nil` of the current one.
  public var replacedOn: Int?
  /// The number of that version.
  var replacedBy: Int?
  /// The states of its geodatabases in which it holds no edit that its successor lacks, by path.
  var settled: [String: GeodatabaseState] = [:]

  /// Its number, counted from 1 for each map.
  public var number: Int { map.version }

  /// Whether edits may be in it that no service has received.
  var mayHoldEdits: Bool { isEdited || hasCarried || files.isEmpty }

  /// Creates an unedited version.
  public init(map: StoredMap, files: [StoredFile]) {
    self.map = map
    self.files = files
  }
}
