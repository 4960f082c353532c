internal import Foundation
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanLibrary
internal import PortolanOffline
internal import PortolanPortal
internal import PortolanWebMaps

/// Asks a portal for a web map and its areas, and remembers what it said.
struct MapOffer {
  let portal: Portal
  let storage: any PortalCache & ThumbnailStore
  let now: @Sendable () -> Date

  /// Writes down what the portal says about a web map and of its areas.
  ///
  /// - Throws: ``PortolanPortal/PortalError`` or ``PortolanLibrary/LibraryError``; then what was
  ///   known before is still there.
  func update(_ webMap: PortalItem.ID) async throws {
    let item = try await portal.item(webMap)
    guard item.isOf(.webMap) else {
      throw OnlineMapError.notAWebMap(title: item.title, kind: item.kind.rawValue)
    }
    let task = OfflineMapTask(portal: portal, webMap: webMap)
    let before = Dictionary(
      try await storage.knownAreas(of: webMap.text).map { ($0.id, $0) }
    ) { first, _ in first }
    let mapBefore = try await storage.knownMaps().first { $0.id == item.id.text }
    let found = try await task.preplannedMapAreas()
    let seen = now()
    var areas: [KnownArea] = []
    for area in found {
      areas.append(await record(of: area, webMap, task, before: before[area.id.text], seen))
    }
    try await storage.save(
      KnownMap(
        id: item.id.text, portal: portal.url, title: item.title, summary: item.snippet,
        modified: item.modified, seen: seen))
    try await storage.save(areas, of: webMap.text)
    await keepPictures(
      of: [item] + found.map(\.portalItem),
      datesBefore: before.mapValues(\.modified).merging([item.id.text: mapBefore?.modified]) { $1 })
  }

  private func record(
    of area: PreplannedMapArea, _ webMap: PortalItem.ID, _ task: OfflineMapTask,
    before: KnownArea?, _ seen: Date
  ) async -> KnownArea {
    var known = KnownArea(
      id: area.id.text, webMap: webMap.text, title: area.portalItem.title,
      summary: area.portalItem.snippet, status: .init(area.packagingStatus),
      modified: area.portalItem.modified, seen: seen)
    known.geometry = area.areaOfInterest.map { shape in
      shape.esriJSON(spatialReference: area.spatialReference).encoded()
    }
    if let before, before.modified == known.modified, before.status == known.status {
      known.byteCount = before.byteCount
    }
    if area.canDownload, known.byteCount == nil {
      // The size is a courtesy; the list is there without.
      let packages = try? await task.packages(of: area)
      known.byteCount = packages.flatMap(Self.byteCount)
    }
    return known
  }

  /// The bytes in all packages; `nil` if the portal does not know them all.
  private static func byteCount(of packages: [AreaPackage]) -> Int? {
    let sizes = packages.map(\.byteCount)
    guard !sizes.contains(nil) else { return nil }
    return sizes.compactMap(\.self).reduce(0, +)
  }

  /// Fetches the pictures that are missing or have changed; one that does not come is no loss.
  private func keepPictures(of items: [PortalItem], datesBefore: [String: Date?]) async {
    for item in items where item.thumbnail != nil {
      // A picture that cannot be read or written is fetched again next time.
      let kept = try? await storage.thumbnail(of: item.id.text)
      guard kept == nil || datesBefore[item.id.text] != item.modified else { continue }
      do {
        let picture = try await portal.thumbnail(of: item, width: 400)
        try await storage.setThumbnail(picture, of: item.id.text)
      } catch {
        continue
      }
    }
  }
}

extension KnownArea.Status {
  fileprivate init(_ status: PreplannedMapArea.PackagingStatus) {
    self =
      switch status {
      case .processing: .processing
      case .complete: .complete
      case .failed: .failed
      }
  }
}
