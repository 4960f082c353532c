internal import Foundation
internal import PortolanApp
internal import PortolanJobs
internal import PortolanLibrary
internal import PortolanPortal
internal import PortolanTransport

// How a child writes maps into packages and stores them again: as the screen with the list of maps does.
extension CrashChild {
  /// Writes the map into a package, in place of the one that is there.
  func export(from library: MapLibrary) async throws {
    let file = ExportedPackage.place(of: order.subject, beside: layout.home)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    let maps = try await maps(in: library)
    report(.copy)
    _ = try await maps.export(order.subject, to: file, replacing: true)
  }

  /// Stores what was written as another map, or in place of the one that was made of it before; a child before
  /// this one may have done so.
  func bringIn(to library: MapLibrary, onConflict policy: ImportConflictPolicy) async throws {
    let file = ExportedPackage.place(of: order.subject, beside: layout.home)
    if policy == .replace, try await isReplaced(file.lastPathComponent, in: library) { return }
    let maps = try await maps(in: library)
    report(.copy)
    let imported = try await maps.importPackage(file, onConflict: policy)
    guard imported.isComplete else {
      throw CrashTestError.wrongReading("a package of which is missing: \(imported.warnings)")
    }
  }

  /// Whether what was imported from a package has a version before.
  private func isReplaced(_ name: String, in library: MapLibrary) async throws -> Bool {
    for map in try await library.maps() where map.origin == .imported(name) {
      if try await !library.earlierVersions(of: map.id).isEmpty { return true }
    }
    return false
  }

  @MainActor private func maps(in library: MapLibrary) async throws -> MapListModel {
    let home = HomeLibrary(
      offline: environment(library), queue: queue(library), audit: audit(library),
      packages: FilePackageOpener(unpackingInto: order.home.appending(path: "unpacked")))
    let maps = MapListModel(
      library: home, portals: NoPortals(), monitor: FixedNetworkMonitor(.offline(.asked)))
    try await maps.load()
    return maps
  }
}

/// No portal is asked for what is on this device.
private struct NoPortals: PortalConnecting {
  func portal(at url: URL?) async throws(PortalError) -> Portal { throw .cancelled }
}
