extension Layer {
  /// Whether the layer can be used without a network.
  ///
  /// The kinds are those that Esri's own check of a map accepts. Groups can be used if one of
  /// their layers can; the others say so themselves.
  public var offlineSupport: OfflineSupport {
    switch kind {
    case .feature(.none): .unsupported(reason: "The map does not say where its features are.")
    case .feature, .tiledMapService, .imageService, .tiledImageService, .mapService, .vectorTile,
      .subtypeGroup, .subtypeGroupTable:
      packageSupport
    case .group(let group): Self.support(of: group)
    default: .unsupported(reason: reasonOfKind)
    }
  }

  /// Whether a layer of a map on this device was left to its service, which a network is needed for.
  public var isOnlineOnly: Bool {
    guard path == nil else { return false }
    return switch kind {
    case .group, .feature(.none), .feature(.featureCollection), .feature(.package), .unknown: false
    case .bing, .openStreetMap, .webTiled: true
    default: url != nil || itemID != nil
    }
  }

  /// A layer in a package can be used if its file is of a kind that Portolan reads.
  private var packageSupport: OfflineSupport {
    guard let path else { return .supported }
    let known = ["geodatabase", "tpk", "tpkx", "vtpk"]
    guard !known.contains(path.fileExtension) else { return .supported }
    return .unsupported(reason: "Files of type \".\(path.fileExtension)\" cannot be read.")
  }

  private static func support(of group: GroupContent) -> OfflineSupport {
    let supports = group.layers.map(\.offlineSupport)
    guard !supports.isEmpty, !supports.contains(.supported) else { return .supported }
    return .unsupported(reason: "None of the layers in the group can be used offline.")
  }

  private var reasonOfKind: String {
    switch kind {
    case .bing: "Bing Maps may only be used online."
    case .openStreetMap:
      "The tiles of OpenStreetMap may not be downloaded in bulk from its servers."
    case .webTiled: "Tiles of other servers cannot be exported."
    case .wms, .wfs, .wcs, .ogcFeature: "OGC services cannot be taken offline."
    case .kml, .geoRSS, .geoJSON, .csv, .parquet:
      "The layer is a file on the web, which cannot be taken offline."
    case .stream: "A stream shows what happens now; there is nothing to take offline."
    case .media, .video: "Pictures and videos on the web cannot be taken offline."
    case .annotation, .dimension: "Annotation and dimension layers cannot be drawn yet."
    case .imageServiceVector: "Vector fields are computed by the server."
    case .catalog, .orientedImagery, .knowledgeGraph:
      "Layers of type \"\(typeName)\" are available online only."
    case .mobileBasemap: "Basemap packages (.bpk) are a closed format."
    case .rasterData: "Raster files cannot be read."
    case .scene: "Layers of scenes cannot be shown in a map."
    case .unknown(""): "The map does not say what kind of layer it is."
    default: "Layers of type \"\(typeName)\" are not supported."
    }
  }
}
