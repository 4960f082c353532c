internal import Foundation
internal import PortolanJSON
internal import PortolanJobs
internal import PortolanMap
internal import PortolanPackages
internal import PortolanPortal

/// The plan for taking a map offline: the files, and what happens to each layer.
///
/// Estimate, job and capabilities come from the same plan.
struct OnDemandPlan: Sendable {
  /// What happens to a layer or table.
  enum Fate: Hashable {
    case group
    case embedded
    /// The part, and the number of the layer in it.
    case part(String, layerID: Int?)
    case online
    case leftOut(OfflineIssue?)
  }

  let sources: MapSources
  let parameters: GenerateOfflineMapParameters
  private(set) var parts: [OnDemandPart] = []
  private(set) var capabilities = OfflineMapCapabilities(
    layerCapabilities: [], tableCapabilities: [])
  /// What happens to the layers, in the order of the map.
  private(set) var fates: [Fate] = []

  private let overrides: GenerateOfflineMapParameterOverrides
  private var drafts: [String: Draft] = [:]
  private var order: [String] = []
  private var taken: Set<String> = []

  /// A part that layers are still added to.
  private struct Draft {
    var url: URL
    var work: OnDemandPart.Work
    var affects: [String] = []
  }

  init(
    _ sources: MapSources, _ parameters: GenerateOfflineMapParameters,
    _ overrides: GenerateOfflineMapParameterOverrides?
  ) {
    self.sources = sources
    self.parameters = parameters
    self.overrides =
      overrides ?? OnDemandDefaults(sources: sources, parameters: parameters).overrides
    var layers: [Layer] = []
    var map = sources.webMap
    map.updateLayers { layers.append($0) }
    for layer in layers { add(layer) }
    parts = order.compactMap { id in
      drafts[id].map { OnDemandPart(id: id, url: $0.url, work: $0.work, affects: $0.affects) }
    }
  }

  // MARK: - Layers

  private mutating func add(_ layer: Layer) {
    let fate = fate(of: layer)
    fates.append(fate)
    guard fate != .group else { return }
    var capability = OfflineCapability(
      id: layer.id ?? "", title: layer.title, isBasemap: layer.role == .basemap,
      supportsOffline: false, remainsOnline: false, isCopyOnly: false)
    switch fate {
    case .group: return
    case .embedded: capability.supportsOffline = true
    case .part(let id, _):
      capability.supportsOffline = true
      if case .query = drafts[id]?.work {
        capability.isCopyOnly = true
        capability.issue = issue(of: layer)
      }
      // That it is only a copy is told anyway.
      if let kind = unsupportedShapes(of: layer) {
        capability.issue = .unsupportedShapes(kind: kind)
      }
    case .online:
      capability.remainsOnline = true
      capability.issue = issue(of: layer)
    case .leftOut(let issue): capability.issue = issue
    }
    // What was left out by choice is no limitation of the map.
    guard fate != .leftOut(nil) else { return }
    if layer.role == .table {
      capabilities.tableCapabilities.append(capability)
    } else {
      capabilities.layerCapabilities.append(capability)
    }
  }

  private func staysOnline(_ layer: Layer) -> Bool {
    guard let id = layer.id else { return false }
    return (layer.role == .table ? overrides.onlineTables : overrides.onlineLayers).contains(id)
  }

  /// Whether a layer was left out by name, or belongs to a basemap that is left out or that another
  /// one stands in for.
  private func isUnwanted(_ layer: Layer) -> Bool {
    if layer.isNamed(in: overrides.leftOutLayers ?? []) { return true }
    return layer.role == .basemap
      && (!parameters.includesBasemap || parameters.hasReferenceBasemap)
  }

  private mutating func fate(of layer: Layer) -> Fate {
    if isUnwanted(layer) { return .leftOut(nil) }
    if staysOnline(layer) { return .online }
    switch sources.target(of: layer) {
    case .group: return .group
    case .embedded: return .embedded
    case .none(let issue):
      return refused(issue, by: EmbeddedCollections.collection(layer))
    case .feature(let service, let id): return featureFate(layer, service, id)
    case .tiles(let service): return tileFate(layer, service, isVector: false)
    case .vectorTiles(let service): return tileFate(layer, service, isVector: true)
    }
  }

  private func refused(_ issue: OfflineIssue, by source: String? = nil) -> Fate {
    guard parameters.onlineOnlyServicesOption == .include, !isError(issue, of: source) else {
      return .leftOut(issue)
    }
    return .online
  }

  /// Whether a layer would not open with a network either, so that nothing is gained by keeping it; one
  /// that wants a sign-in does once the user has signed in.
  private func isError(_ issue: OfflineIssue, of source: String?) -> Bool {
    if issue == .noSuchLayer { return true }
    guard let failure = source.flatMap({ sources.failures[$0] }) else { return false }
    if case .failed = JobInterruption(failure) { return true }
    return false
  }

  /// What is in the way of a layer, whatever was requested.
  private func issue(of layer: Layer) -> OfflineIssue? {
    switch sources.target(of: layer) {
    case .group, .embedded: return nil
    case .none(let issue): return issue
    case .feature(let service, let id):
      if let failure = failure(of: service) { return failure }
      guard let source = sources.features[service], let info = source.layer(id) else {
        return .noSuchLayer
      }
      return LayerCheck(service: source.info, layer: info).issue
    case .tiles(let service), .vectorTiles(let service):
      if let failure = failure(of: service) { return failure }
      let canExport = sources.tiles[service]?.canExport ?? false
      return canExport ? nil : .exportTilesNotEnabled(isBasemap: layer.role == .basemap)
    }
  }

  private func unsupportedShapes(of layer: Layer) -> String? {
    guard case .feature(let service, let id) = sources.target(of: layer) else { return nil }
    return sources.features[service]?.layer(id)?.unsupportedShapes
  }

  private func failure(of service: String) -> OfflineIssue? {
    sources.failures[service].map {
      .service(message: $0.errorDescription ?? "The service does not answer.")
    }
  }

  // MARK: - Features

  private mutating func featureFate(_ layer: Layer, _ service: String, _ id: Int) -> Fate {
    let issue = issue(of: layer)
    guard let source = sources.features[service], let info = source.layer(id) else {
      return refused(issue ?? .noSuchLayer, by: service)
    }
    let check = LayerCheck(service: source.info, layer: info)
    guard issue == nil || check.allowsCopy else { return refused(issue ?? .noSuchLayer) }
    let key = OfflineMapParametersKey(service: service)
    guard var options = overrides.generateGeodatabaseParameters[key],
      let option = options.layerOptions.first(where: { $0.layerID == id })
    else { return .leftOut(nil) }
    guard taken.insert("\(service)/\(id)").inserted else { return refused(.duplicate) }
    let isSynced = issue == nil
    options.layerOptions = [option]
    return .part(
      add(layer, to: "\(isSynced ? "replica" : "query"):\(service)", source.service.url) { before in
        var all = options
        all.layerOptions = (before?.options?.layerOptions ?? []) + [option]
        return isSynced ? .replica(all) : .query(all)
      }, layerID: id)
  }

  private mutating func add(
    _ layer: Layer, to id: String, _ url: URL,
    _ work: (OnDemandPart.Work?) -> OnDemandPart.Work
  ) -> String {
    var draft = drafts[id] ?? Draft(url: url, work: work(nil))
    if drafts[id] == nil { order.append(id) } else { draft.work = work(draft.work) }
    if !draft.affects.contains(layer.title) { draft.affects.append(layer.title) }
    drafts[id] = draft
    return id
  }

  // MARK: - Tiles

  private mutating func tileFate(_ layer: Layer, _ service: String, isVector: Bool) -> Fate {
    if let issue = issue(of: layer) { return refused(issue, by: service) }
    guard let source = sources.tiles[service] else { return .leftOut(nil) }
    let key = OfflineMapParametersKey(service: service)
    if isVector {
      guard let options = overrides.exportVectorTilesParameters[key] else { return .leftOut(nil) }
      return .part(
        add(layer, to: "vector:\(service)", source.exportURL) { _ in .vectorTiles(options) },
        layerID: nil)
    }
    guard let options = overrides.exportTileCacheParameters[key] else { return .leftOut(nil) }
    return .part(
      add(layer, to: "tiles:\(service)", source.exportURL) { _ in .tiles(options) }, layerID: nil)
  }
}

extension OnDemandPart.Work {
  /// What is asked of a feature service.
  fileprivate var options: GenerateGeodatabaseParameters? {
    switch self {
    case .replica(let options), .query(let options): options
    case .tiles, .vectorTiles: nil
    }
  }
}

// MARK: - The map

extension OnDemandPlan {
  /// The map with the paths of the files in its layers, without the layers that are left out.
  ///
  /// - Parameters:
  ///   - present: The parts that are there.
  ///   - reference: What stands in for the layers of the basemap.
  ///   - styles: The folders of the styles that layers have of their own, by the place of the layer.
  /// - Returns: The map.
  func offlineMap(
    with present: Set<String>, reference: ReferenceBasemap?, styles: [Int: String] = [:]
  ) -> WebMap {
    var map = sources.webMap
    var next = fates.enumerated().makeIterator()
    map.updateLayers { layer in
      let place = next.next()
      switch place?.element {
      case .part(let id, let number):
        guard let part = parts.first(where: { $0.id == id }), present.contains(id) else {
          if parameters.onlineOnlyServicesOption != .include { layer.json[Self.mark] = true }
          return
        }
        layer.path = PackagePath("./\(part.fileName)", itemID: number)
        if let folder = place.flatMap({ styles[$0.offset] }) {
          layer.json["itemPath"] = .string(PackagePath("./\(folder)").text)
        }
      case .leftOut: layer.json[Self.mark] = true
      case .group, .embedded, .online, nil: return
      }
    }
    map.operationalLayers = Self.kept(map.operationalLayers)
    map.tables = Self.kept(map.tables)
    var basemap = map.basemap
    basemap.layers = parameters.includesBasemap ? Self.kept(basemap.layers) : []
    if let reference { basemap.layers = [reference.layer] }
    map.basemap = basemap
    return map
  }

  /// The layers and tables, in the order of the map.
  var layers: [Layer] {
    var layers: [Layer] = []
    var map = sources.webMap
    map.updateLayers { layers.append($0) }
    return layers
  }

  /// Marks layers that are taken out once the walk is over.
  private static let mark = "portolan:leftOut"

  private static func kept(_ layers: [Layer]) -> [Layer] {
    layers.filter { $0.json[mark] == nil }.map { layer in
      var layer = layer
      if !layer.layers.isEmpty { layer.layers = kept(layer.layers) }
      return layer
    }
  }
}
