internal import Foundation
internal import PortolanFiles
internal import PortolanJSON
internal import PortolanLibrary

/// The stored version of an area, beside what a job would put in its place.
///
/// A job that has found nothing new must not store the same once more: that would replace the version
/// before, to which people can go back, with a copy of the current one.
struct StoredArea {
  private let map: StoredMap
  private let library: MapLibrary

  /// Finds the stored version; `nil` if there is none.
  init?(_ id: MapID, in library: MapLibrary) async throws(LibraryError) {
    guard let map = try await library.storage.storedMap(id), map.deleted == nil else { return nil }
    self.map = map
    self.library = library
  }

  private var place: URL { library.layout.place(of: map) }

  /// Whether its files are of the versions that a plan names.
  func isOfVersions(in plan: DownloadPlan) -> Bool {
    // What cannot be read is fetched again, and compared once it is there.
    guard let versions = try? FileVersions(in: place) else { return false }
    return plan.files.allSatisfy { versions[$0.path] == $0.version }
  }

  /// Whether it is what a job has written, but for the names and dates that each job makes up.
  ///
  /// - Parameters:
  ///   - job: The job, whose folder holds the whole map.
  ///   - record: What would be recorded of it.
  ///   - documents: The documents in it, by path.
  /// - Returns: Whether storing it would change nothing.
  /// - Throws: ``PortolanLibrary/LibraryError`` if the catalogue cannot be read.
  func equals(
    _ job: String, recordedAs record: StoredMap, _ documents: [(path: String, data: Data)]
  ) async throws(LibraryError) -> Bool {
    var record = record
    (record.version, record.installed) = (map.version, map.installed)
    // The relevant parts of them are in the map's documents.
    record.options = map.options
    // Edits, which stay, have changed the size.
    record.byteCount = map.byteCount
    guard record == map, let changed = try await library.paths(changedBy: job, in: map.id) else {
      return false
    }
    let data = Dictionary(documents) { $1 }
    return changed.allSatisfy { path in
      guard let document = data[path].flatMap(Self.lasting),
        // What cannot be read is not the same.
        let stored = try? FileSystem.live.read(place.appending(path: path), limit: 1 << 26)
      else { return false }
      return Self.lasting(stored) == document
    }
  }

  /// What a document says, without what each job makes up; `nil` if it is no JSON object.
  private static func lasting(_ data: Data) -> JSONValue? {
    // What cannot be parsed is not the same.
    guard var document = try? JSONValue(parsing: data).object else { return nil }
    let names = ["id", "guid", "created", "modified"]
    for name in names { document[name] = nil }
    if var item = document["item"]?.object {
      for name in names { item[name] = nil }
      document["item"] = .object(item)
    }
    return .object(document)
  }
}
