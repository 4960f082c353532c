internal import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanLibrary
internal import PortolanOffline

// What a child does with a map that is synchronized with its services.
extension CrashChild {
  /// How many groups of edits a child applies, if it lives so long.
  private static let sharedEditCount = 4

  /// Takes the area offline, to be synchronized; a child before this one may have done so.
  func take(into library: MapLibrary) async throws {
    let id = try subject()
    guard try await !library.maps().contains(where: { $0.id == id }) else { return }
    try await download(toSynchronize: library)
  }

  /// Takes the newer version offline; a child before this one may have done so.
  func renew(in library: MapLibrary) async throws {
    let id = try subject()
    guard let map = try await library.maps().first(where: { $0.id == id }),
      map.version == order.version
    else { return }
    try await download(toSynchronize: library)
  }

  private func download(toSynchronize library: MapLibrary) async throws {
    let parameters = DownloadPreplannedOfflineMapParameters(
      portal: order.portal, webMap: order.webMap, area: order.subject,
      updateMode: .syncWithFeatureServices)
    try await run(try OfflineJobOrder(parameters, title: order.subject), in: library)
  }

  func synchronize(in library: MapLibrary) async throws {
    let parameters = SyncOfflineMapParameters(portal: order.portal, map: order.subject)
    try await run(try OfflineJobOrder(parameters, title: order.subject), in: library)
  }

  /// Decides on each edit that could not be exchanged, in favor of either side in turn.
  func decide(in library: MapLibrary) async throws {
    let (task, id) = (OfflineMapSyncTask(environment(library)), try subject())
    report(.edit)
    while let conflict = try await task.conflicts(of: id).first {
      try await task.resolve(
        conflict, of: id, as: conflict.id.isMultiple(of: 2) ? .mine : .theirs)
    }
  }

  /// Edits what others edit too, in numbered groups.
  func share(in library: MapLibrary) async throws {
    let lease = try await library.open(try subject())
    try await library.beginEditing(lease)
    report(.edit)
    let store = try EditableGeodatabase.open(
      at: try MapOpening.geodatabase(in: lease.url), now: { Date() }, makeID: { UUID() })
    let editor = SharedEdits(home: order.home.lastPathComponent)
    for number in order.firstEdit..<order.firstEdit + Self.sharedEditCount {
      let edits = try await editor.edits(number, in: store)
      report("edit \(number) begun")
      _ = try await store.apply(edits)
      report("edit \(number) done")
    }
    await store.close()
    lease.endEditing()
  }
}
