internal import Foundation
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanTileFiles

/// The work of the packaging service: it makes areas of web maps, and packages of areas.
struct PackagingWork: Sendable {
  let state: DemoState
  let content: DemoContent

  /// Does the work; the job reports it after it was polled often enough.
  func submit(_ task: PackagingTask, _ request: DemoRequest) async -> DemoJob {
    do throws(DemoFailure) {
      let value =
        switch task {
        case .createMapArea: try await createMapArea(request)
        case .setupMapArea: try await setupMapArea(request)
        case .refreshMapAreaPackage: try await refresh(request)
        }
      return await state.submitJob(task.rawValue, results: [task.output: value])
    } catch {
      return await state.submitJob(task.rawValue, ending: .failed(error))
    }
  }

  private func failure(_ number: Int, _ message: String) -> DemoFailure {
    let digits = String(number)
    let code = "OffPkg_" + String(repeating: "0", count: 4 - digits.count) + digits
    let text: JSONValue = [
      "code": .integer(Int64(number)), "messageCode": .string(code), "message": .string(message),
      "params": [:],
    ]
    return DemoFailure(code: 500, text.text(), messageCode: code)
  }

  private func ownItem(
    _ name: String, _ request: DemoRequest
  ) async throws(DemoFailure) -> DemoItem {
    guard request.viewer.isSignedIn else { throw .tokenRequired }
    guard let id = request.parameters[name], let item = await state.item(id) else {
      throw failure(19, "The map is missing.")
    }
    guard item.owner == request.viewer.username else { throw .notPermitted }
    return item
  }
}

extension PackagingWork {
  private func createMapArea(_ request: DemoRequest) async throws(DemoFailure) -> JSONValue {
    var map = try await ownItem("mapItemId", request)
    let asked = try MapAreaRequest(request, in: map)
    guard let box = asked.box else { throw failure(21, "The bookmark is missing.") }
    let areas = await state.related(
      to: map.id, types: ["Map2Area"], isForward: true, for: request.viewer)
    guard areas.count < 16 else { throw failure(25, "There are too many areas.") }
    let corners = [box.xMin, box.yMin, box.xMax, box.yMax]
    guard !areas.contains(where: { $0.extent == corners }) else {
      throw failure(27, "This area exists.")
    }
    let id = await state.nextID()
    var area = content.item(id, asked.title ?? "\(map.title) area", "Map Area", box: box)
    area.id = id
    area.created = state.clock.now()
    area.modified = area.created
    area.access = map.access
    area.typeKeywords = ["Map Area"]
    area.snippet = asked.snippet
    area.tags = asked.tags
    area.properties = asked.properties(extent: content.mercator(box))
    await state.put(area)
    await state.relate(map.id, to: id, as: "Map2Area")
    for keyword in ["Offline", "Offline Map Areas"] where !map.typeKeywords.contains(keyword) {
      map.typeKeywords.append(keyword)
    }
    await state.put(map)
    return .string(id)
  }

  /// Makes the packages that are requested, or one of each kind.
  private func setupMapArea(_ request: DemoRequest) async throws(DemoFailure) -> JSONValue {
    let area = try await ownItem("mapAreaItemId", request)
    guard let corners = area.extent, corners.count == 4 else {
      throw failure(2, "The area has no extent.")
    }
    let box = Envelope(xMin: corners[0], yMin: corners[1], xMax: corners[2], yMax: corners[3])
    let address = request.base.absoluteString
    var results: [JSONValue] = []
    for source in try sources(request) {
      guard let package = package(source, area, box, at: address) else {
        results.append([
          "source": .string(source),
          "error": .string(failure(23, "Sync is not enabled.").message),
        ])
        continue
      }
      await state.put(package)
      await state.relate(area.id, to: package.id, as: "Area2Package")
      results.append([
        "source": .string(source), "itemId": .string(package.id), "state": "new",
      ])
    }
    let isComplete = results.allSatisfy { $0["error"] == nil }
    try await state.change(area.id) { item in
      var properties = item.properties.object ?? [:]
      properties["status"] = isComplete ? "complete" : "failed"
      item.properties = .object(properties)
    }
    return .array(results)
  }

  private func sources(_ request: DemoRequest) throws(DemoFailure) -> [String] {
    let features = try addresses("featureServices", request)
    let tiles = try addresses("tileServices", request)
    let ignored = try request.parameters.json("mapLayersToIgnore")?.array ?? []
    let own = request.address(
      "\(DemoServices.Root.portal)/\(DemoServices.exploreMaine)/FeatureServer")
    // A layer that is ignored does not take the others of its service with it.
    return (features ?? [own]).filter { source in
      !ignored.contains { $0.string.map { Self.isSame($0, source) } ?? false }
    } + (tiles ?? [])
  }

  private static func isSame(_ address: String, _ other: String) -> Bool {
    func plain(_ text: String) -> Substring {
      text.hasSuffix("/") ? text.lowercased().dropLast() : text.lowercased()[...]
    }
    return plain(address) == plain(other)
  }

  private func addresses(
    _ name: String, _ request: DemoRequest
  ) throws(DemoFailure) -> [String]? {
    try request.parameters.json(name)?.array?.compactMap { $0["url"]?.string }
  }

  private func package(
    _ source: String, _ area: DemoItem, _ box: Envelope, at base: String
  ) -> DemoItem? {
    let path = source.replacing(base, with: "{base}").lowercased()
    func isService(_ name: String, _ type: String) -> Bool {
      path == DemoServices.itemAddress(name, type).lowercased()
    }
    var package: DemoItem? =
      if isService(DemoServices.exploreMaine, "FeatureServer") {
        content.geodatabasePackage(area.id, box)
      } else if isService(DemoServices.backdrop, "MapServer") {
        content.tilePackage(area.id, box, layout: .tpkx)
      } else {
        nil
      }
    package?.owner = area.owner
    package?.access = area.access
    return package
  }

  /// Packages are as new as their services, so nothing has changed.
  private func refresh(_ request: DemoRequest) async throws(DemoFailure) -> JSONValue {
    let ids = try request.parameters.json("packages")?.array?.compactMap { $0["itemId"]?.string }
    var results: [JSONValue] = []
    for id in ids ?? [] {
      let package = try await state.item(id, for: request.viewer)
      let source = DemoItem.placed(
        package.properties["url"] ?? .null, at: request.base.absoluteString)
      results.append(["source": source, "itemId": .string(id), "state": "unchanged"])
    }
    return .array(results)
  }
}
