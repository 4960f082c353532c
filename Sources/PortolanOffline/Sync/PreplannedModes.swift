internal import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanJSON
internal import PortolanPackages
internal import PortolanPortal

/// The update mode of each geodatabase of a preplanned area, as its `.marea` file gives it.
struct PreplannedModes {
  typealias UpdateMode = DownloadPreplannedOfflineMapParameters.UpdateMode

  /// What is known of a geodatabase.
  struct Entry {
    /// How it is kept up to date.
    let mode: UpdateMode
    /// The item that it was downloaded from.
    let item: PortalItem.ID?
    /// The replica at the service that the package is refreshed by.
    let replica: UUID?
  }

  private var entries: [String: Entry] = [:]

  /// Reads what the area of a map says; a map that is none says nothing.
  init(of folder: URL) {
    let name = "\(AreaDocuments.dataFolder)/\(AreaDocuments.mapName).marea"
    // Without a readable record nothing is known of updates, and the file is left as it is.
    guard let data = try? Data(contentsOf: folder.appending(path: name)),
      // A damaged record is as good as none.
      let json = try? JSONValue(parsing: data).object
    else { return }
    for package in PreplannedAreaRecord(json: json).packages {
      guard let mode = package.updateMode.flatMap(UpdateMode.init) else { continue }
      let replica = package.originalReplicaID.flatMap {
        UUID(uuidString: $0.trimmingCharacters(in: ["{", "}"]))
      }
      // An id that is none cannot be requested.
      let item = package.packageItemID.flatMap { try? PortalItem.ID($0) }
      let file = package.path.replacing("file:", with: "").replacing("./", with: "")
      entries["\(AreaDocuments.dataFolder)/\(file)"] = Entry(
        mode: mode, item: item, replica: replica.flatMap { $0.isNil ? nil : $0 })
    }
  }

  /// What is known of a geodatabase, by its path below the folder of the map.
  subscript(path: String) -> Entry? { entries[path] }

  /// Whether a geodatabase without a registration of its own can be synchronized all the same.
  func canSynchronize(_ path: String) -> Bool {
    entries[path].map { $0.mode != .noUpdates } ?? false
  }

  /// Whether edits of a geodatabase without a registration of its own are sent to a service, be it only some.
  func sendsEdits(of path: String) -> Bool {
    switch entries[path]?.mode {
    case .syncWithFeatureServices, .downloadScheduledUpdatesAndUploadNewFeatures: true
    case .noUpdates, .downloadScheduledUpdates, nil: false
    }
  }

  /// Whether an edit of a geodatabase without a registration of its own is sent to a service.
  func sends(_ issue: SyncIssue, of path: String) -> Bool {
    switch entries[path]?.mode {
    case .syncWithFeatureServices, nil: true
    // Nothing but new features and their attachments is sent, and can be rejected.
    case .downloadScheduledUpdatesAndUploadNewFeatures:
      issue.edit == LocalChange.Kind.add.rawValue || issue.kind == .rejected
    case .noUpdates, .downloadScheduledUpdates: false
    }
  }
}

extension UUID {
  fileprivate var isNil: Bool { uuidString == "00000000-0000-0000-0000-000000000000" }
}
