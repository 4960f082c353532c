internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap
internal import PortolanPortal

/// The default parameters for each service of a map.
struct OnDemandDefaults {
  let sources: MapSources
  let parameters: GenerateOfflineMapParameters
  /// The ids or titles of layers that are left out.
  var leftOut: Set<String> = []

  private var settings: OfflineSettings { sources.webMap.offlineSettings }

  /// What is asked of each service.
  var overrides: GenerateOfflineMapParameterOverrides {
    var overrides = GenerateOfflineMapParameterOverrides()
    overrides.leftOutLayers = leftOut
    let tables = Set(sources.webMap.tables.compactMap(\.id))
    overrides.onlineLayers = onlineIDs.filter { !tables.contains($0) }
    overrides.onlineTables = onlineIDs.filter(tables.contains)
    let taken = layers.filter(isTaken)
    // Of layers of one service layer the first decides, of those that are not kept online if there are any.
    for layer in taken where !staysOnline(layer) { add(layer, to: &overrides) }
    for layer in taken where staysOnline(layer) { add(layer, to: &overrides) }
    for (key, options) in overrides.generateGeodatabaseParameters {
      overrides.generateGeodatabaseParameters[key] = withAttachments(options, key.service)
    }
    return overrides
  }

  /// What was to be left out and is no layer or table of the map.
  var unknownNames: [String] {
    let known = Set(
      (layers + sources.webMap.tables).flatMap { [$0.title] + [$0.id].compactMap(\.self) })
    return leftOut.subtracting(known).sorted()
  }

  private var layers: [Layer] {
    var layers: [Layer] = []
    var map = sources.webMap
    map.updateLayers { layers.append($0) }
    return layers
  }

  /// The ids of the layers and tables that the author of the map keeps online.
  private var onlineIDs: [String] {
    parameters.onlineOnlyServicesOption == .useAuthoredSettings
      ? settings.connectedOnlineLayerIDs : []
  }

  private func staysOnline(_ layer: Layer) -> Bool { layer.id.map(onlineIDs.contains) ?? false }

  private func isTaken(_ layer: Layer) -> Bool {
    guard !layer.isNamed(in: leftOut) else { return false }
    return layer.role != .basemap || (parameters.includesBasemap && !parameters.hasReferenceBasemap)
  }

  private func add(_ layer: Layer, to overrides: inout GenerateOfflineMapParameterOverrides) {
    switch sources.target(of: layer) {
    case .feature(let service, let id):
      guard let source = sources.features[service], let info = source.layer(id) else { return }
      let key = OfflineMapParametersKey(service: service)
      var options =
        overrides.generateGeodatabaseParameters[key] ?? geodatabaseParameters(source)
      guard !options.layerOptions.contains(where: { $0.layerID == id }) else { return }
      options.layerOptions.append(option(layer, info, source))
      overrides.generateGeodatabaseParameters[key] = options
    case .tiles(let service):
      guard let source = sources.tiles[service] else { return }
      overrides.exportTileCacheParameters[OfflineMapParametersKey(service: service)] =
        ExportTileCacheParameters(
          areaOfInterest: parameters.areaOfInterest,
          levelIDs: TileLevels(source.info).between(parameters.minScale, parameters.maxScale))
    case .vectorTiles(let service):
      guard let source = sources.tiles[service] else { return }
      overrides.exportVectorTilesParameters[OfflineMapParametersKey(service: service)] =
        ExportVectorTilesParameters(
          areaOfInterest: parameters.areaOfInterest,
          levelIDs: TileLevels(source.info).fromTop(
            to: parameters.maxScale, within: parameters.minScale))
    case .group, .embedded, .none: return
    }
  }

  // MARK: - Features

  private func geodatabaseParameters(
    _ source: MapSources.Features
  ) -> GenerateGeodatabaseParameters {
    let can = source.info.json["syncCapabilities"]
    let model: GenerateGeodatabaseParameters.SyncModel =
      parameters.updateMode == .noUpdates
      ? .none : can?["supportsPerLayerSync"]?.bool == true ? .perLayer : .perGeodatabase
    return GenerateGeodatabaseParameters(
      layerOptions: [], extent: parameters.areaOfInterest, returnsAttachments: false,
      attachmentSyncDirection: .none, syncModel: model,
      outSpatialReference: sources.webMap.spatialReference?.wkid)
  }

  private func option(
    _ layer: Layer, _ info: FeatureLayerInfo, _ source: MapSources.Features
  ) -> GenerateLayerOption {
    let isEditable = LayerCheck(service: source.info, layer: info).isEditable
    let isSpatial = info.hasShapes
    let expression =
      parameters.isDefinitionExpressionFilterEnabled
      ? layer.layerDefinition.definitionExpression ?? "" : ""
    var option = GenerateLayerOption(
      layerID: info.id ?? 0, whereClause: expression, usesGeometry: isSpatial)
    if isEditable, parameters.returnsSchemaOnlyForEditableLayers {
      option.queryOption = .none
      option.whereClause = ""
      option.includesRelated = false
    } else if !isSpatial, expression.isEmpty {
      option.queryOption = takesOnlyRelated(info, source) ? .none : .all
    }
    return option
  }

  /// Whether only the rows of a table come along that relate to features of the map.
  private func takesOnlyRelated(_ info: FeatureLayerInfo, _ source: MapSources.Features) -> Bool {
    guard parameters.destinationTableRowFilter == .relatedOnly else { return false }
    let relationships = info.json["relationships"]?.array ?? []
    let isOrigin = relationships.contains { $0["role"]?.string == "esriRelRoleOrigin" }
    let origins = relationships.compactMap { $0["relatedTableId"]?.int }
    let name = LayerAddress(source.service.url.absoluteString).name
    let isSynced = isSynced(info, source)
    // Only tables in the same file add related rows.
    let inFile = layers.contains { layer in
      guard isTaken(layer), !staysOnline(layer),
        case .feature(name, let id) = sources.target(of: layer), origins.contains(id),
        let origin = source.layer(id)
      else { return false }
      return self.isSynced(origin, source) == isSynced
    }
    return !isOrigin && inFile
  }

  private func isSynced(_ info: FeatureLayerInfo, _ source: MapSources.Features) -> Bool {
    LayerCheck(service: source.info, layer: info).issue == nil
  }

  private func withAttachments(
    _ options: GenerateGeodatabaseParameters, _ service: String
  ) -> GenerateGeodatabaseParameters {
    guard let source = sources.features[service] else { return options }
    let infos = options.layerOptions.compactMap { source.layer($0.layerID) }
    let isEditable = infos.contains { LayerCheck(service: source.info, layer: $0).isEditable }
    var options = options
    options.returnsAttachments =
      switch parameters.returnLayerAttachmentOption {
      case .none: false
      case .allLayers: true
      case .readOnlyLayers: !isEditable
      case .editableLayers: isEditable
      }
    // Services refuse other pairs.
    let wanted = parameters.attachmentSyncDirection
    options.attachmentSyncDirection =
      switch (options.returnsAttachments, wanted) {
      case (true, .none): .upload
      case (false, .bidirectional): .upload
      default: wanted
      }
    return options
  }
}

extension Layer {
  /// Whether a layer is among those that are named by their ids or titles.
  func isNamed(in names: Set<String>) -> Bool {
    names.contains(title) || id.map(names.contains) == true
  }
}
