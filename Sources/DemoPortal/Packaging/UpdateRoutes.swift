internal import Foundation
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanTransport

/// The address by which a tester has the portal make a scheduled update of a preplanned area, as it does
/// by itself on the days that the area's author has chosen.
struct UpdateRoutes: Sendable {
  /// The maximum number of updates kept beside a package.
  private static let mostDeltas = 5

  let state: DemoState
  let service: HostedFeatureService

  func add(to router: inout Router) {
    router.add("/\(ControlRoutes.root)/scheduled-updates", realm: nil) { request in
      guard request.method == .post, let area = request.parameters["area"] else {
        throw DemoFailure.badRequest("A scheduled update is made by POST and the title of an area.")
      }
      return .json(["file": try await makeUpdate(of: area).map { .string($0) } ?? .null])
    }
  }

  /// Puts a file with what changed since the last one beside the package of an area.
  ///
  /// - Returns: Its name; `nil` if nothing changed.
  private func makeUpdate(of area: String) async throws -> String? {
    let id = DemoIdentifiers(seed: state.seed).itemID("geodatabase/\(area)")
    guard var package = await state.item(id), let box = Self.extent(of: package) else {
      throw DemoFailure.badRequest("\"\(area)\" has no package.")
    }
    let last = package.resources.compactMap(\.deltaGeneration).max() ?? 1
    guard let (generation, data) = try await service.scheduledUpdate(since: last, in: box) else {
      return nil
    }
    let name = "d_\(generation).geodatabase"
    package.resources.append(
      DemoItem.Resource(name: name, body: data, created: state.clock.now()))
    Self.purge(&package)
    await state.put(package)
    return name
  }

  /// Removes the oldest updates, and says up to which generation nothing is kept.
  private static func purge(_ package: inout DemoItem) {
    let generations = package.resources.compactMap(\.deltaGeneration).sorted()
    guard let purged = generations.dropLast(mostDeltas).last else { return }
    package.resources.removeAll { $0.deltaGeneration.map { $0 <= purged } ?? false }
    var properties = package.properties.object ?? [:]
    properties["lastPurgedGen"] = .integer(purged)
    package.properties = .object(properties)
  }

  private static func extent(of package: DemoItem) -> Geometry? {
    let box = package.properties["extent"]
    guard let xMin = box?["xmin"]?.double, let yMin = box?["ymin"]?.double,
      let xMax = box?["xmax"]?.double, let yMax = box?["ymax"]?.double
    else { return nil }
    return .envelope(Envelope(xMin: xMin, yMin: yMin, xMax: xMax, yMax: yMax))
  }
}

extension DemoItem.Resource {
  /// The generation up to which an update reaches; `nil` of other files.
  fileprivate var deltaGeneration: Int64? {
    name.wholeMatch(of: /d_(\d+)\.geodatabase/).flatMap { Int64($0.1) }
  }
}
