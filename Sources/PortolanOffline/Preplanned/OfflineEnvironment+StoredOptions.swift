internal import Foundation
internal import PortolanJSON
public import PortolanLibrary
internal import PortolanMap
internal import PortolanPackages

extension OfflineEnvironment {
  /// How an area was downloaded that is stored, or that was lost since; `nil` if nothing is known of it.
  ///
  /// Of an area that an older Portolan has stored, as far as its package says it.
  @concurrent public func storedOptions(
    of id: MapID
  ) async throws(LibraryError) -> StoredAreaOptions? {
    if let lost = try await library.storage.lostOptions(of: id) { return lost }
    guard let map = try await library.storage.storedMap(id), map.deleted == nil,
      case .preplannedArea = map.origin
    else { return nil }
    return map.options ?? StoredAreaOptions(package: library.layout.place(of: map))
  }
}

extension StoredAreaOptions {
  /// Reads what the documents of a stored area say; `nil` if they cannot be read.
  init?(package folder: URL) {
    func document(_ suffix: String) -> JSONObject? {
      let name = "\(AreaDocuments.dataFolder)/\(AreaDocuments.mapName).\(suffix)"
      // What cannot be read says nothing.
      guard let data = try? Data(contentsOf: folder.appending(path: name)) else { return nil }
      // Likewise.
      return try? JSONValue(parsing: data).object
    }
    guard let record = document("marea").map({ PreplannedAreaRecord(json: $0) }),
      let layers = document("mmap")?["map"]?["baseMap"]?["baseMapLayers"]?.array
    else { return nil }
    // One that cannot be synchronized says nothing of the others.
    let none = DownloadPreplannedOfflineMapParameters.UpdateMode.noUpdates.rawValue
    let mode = record.packages.lazy.compactMap(\.updateMode).first { $0 != none }
    self.init(
      basemap: Self.basemap(layers.compactMap(\.object)), continuesOnErrors: true,
      updateMode: mode ?? none)
  }

  private static func basemap(_ layers: [JSONObject]) -> Basemap {
    guard let first = layers.first.map({ Layer(json: $0, role: .basemap) }) else { return .leftOut }
    guard first.id == ReferenceBasemap.layerID, let path = first.path else { return .ofMap }
    return .file("\(first.title).\(path.fileExtension)")
  }
}
