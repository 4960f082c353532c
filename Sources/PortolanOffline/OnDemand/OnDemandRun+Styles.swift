internal import Foundation
internal import PortolanJobs
internal import PortolanLibrary
internal import PortolanMap
internal import PortolanPortal

extension OnDemandRun {
  /// The folders of the styles that layers have of their own, by the place of the layer in the map, and what of
  /// the styles is missing.
  typealias Styles = (folders: [Int: String], missing: [JobFailedItem])

  /// Stores the styles that layers of vector tiles have in place of those of their services.
  func storeStyles(of plan: OnDemandPlan, from portal: Portal) async throws -> Styles {
    let staging = environment.library.layout.staging(job.id.text)
    var styles: Styles = ([:], [])
    for (place, (layer, fate)) in zip(plan.layers, plan.fates).enumerated() {
      guard case .part(let id, _) = fate, let part = plan.parts.first(where: { $0.id == id }),
        case .vectorTiles = part.work, let tiles = plan.sources.tiles[part.serviceName],
        FileManager.default.fileExists(atPath: staging.appending(path: part.path).plainPath)
      else { continue }
      let outcome = try await StyleDownload(
        portal: portal, service: VectorTileService(url: part.url, client: portal.client),
        info: tiles.info, folder: staging.appending(path: AreaDocuments.dataFolder)
      ).store(for: layer)
      styles.folders[place] = outcome.folderName
      for note in outcome.notes { await reporter.message("\(layer.title): \(note)", .warning) }
      guard !outcome.problems.isEmpty else { continue }
      let item = JobFailedItem(
        name: "\(layer.title) (style)", attempts: 1,
        failure: JobFailure(message: outcome.problems.joined(separator: " "), kind: .absent))
      await reporter.message(item.sentence, .warning)
      if !styles.missing.contains(where: { $0.name == item.name }) { styles.missing.append(item) }
    }
    return styles
  }
}
