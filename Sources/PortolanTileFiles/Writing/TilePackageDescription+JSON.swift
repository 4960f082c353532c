internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanTiles

extension TilePackageDescription {
  /// The `root.json` of a package with tiles at `levels`.
  ///
  /// - SeeAlso: Docs/FORMATS.md, 3.2
  func root(levels: ClosedRange<Int>) -> JSONValue {
    let reference = scheme.spatialReference
    let extent = fullExtent.esriJSON(spatialReference: reference)
    var root: JSONObject = [
      "name": .string(name),
      "version": 1.0,
      "serviceDescription": .string(summary),
      "tileBundlesPath": .string("./" + TilePackageLayout.tpkx.tilesFolder),
      "minLOD": .integer(Int64(levels.lowerBound)),
      "maxLOD": .integer(Int64(levels.upperBound)),
      "minScale": .number(scheme.level(levels.lowerBound)?.scale ?? 0),
      "maxScale": .number(scheme.level(levels.upperBound)?.scale ?? 0),
      "resampling": false,
      "units": .string(units),
      "exportTilesAllowed": false,
      "spatialReference": reference.esriJSON,
      "initialExtent": extent,
      "fullExtent": extent,
      "tileInfo": scheme.tileInfo,
      "tileImageInfo": [
        "format": .string(format), "compressionQuality": .integer(Int64(compressionQuality)),
        "bandCount": 1, "lercError": 0,
      ],
      "storageInfo": [
        "storageFormat": "esriMapCacheStorageModeCompactV2",
        "packetSize": .integer(Int64(BundleID.side)),
      ],
    ]
    root[TileDates.entryName] = tileDates.map { .string($0.text) }
    return .object(root)
  }

  /// The `iteminfo.json`.
  var itemInformation: JSONValue {
    var item: JSONObject = [
      "name": .string(name),
      "version": 1.0,
      "snippet": .string(summary),
      "description": .string(summary),
      "summary": .string(summary),
      "title": .string(title ?? name),
      "tags": .string(tags.joined(separator: ",")),
      "accessInformation": .string(accessInformation),
      "licenseInfo": .string(licenseInfo),
      "type": "Compact Tile Package",
      "typeKeywords": ["Compact Tile Package", "Tile Package", "tpkx"],
    ]
    if thumbnail != nil { item["thumbnail"] = .string("./" + TilePackageWriter.thumbnailName) }
    item["extent"] = geographicExtent?.esriJSON(spatialReference: .wgs84)
    return .object(item)
  }

  /// The description of the map in a `.tpk`: `mapserver.json`.
  ///
  /// - SeeAlso: Docs/FORMATS.md, 3.3
  var service: JSONValue {
    [
      "name": "MapServer",
      "contents": [
        "serviceDescription": .string(summary),
        "mapName": .string(title ?? name),
        "description": .string(summary),
        "copyrightText": .string(accessInformation),
        "layers": [],
        "spatialReference": scheme.spatialReference.esriJSON,
        "singleFusedMapCache": true,
        "tileInfo": scheme.tileInfo,
        "fullExtent": fullExtent.esriJSON(spatialReference: scheme.spatialReference),
        "units": .string(units),
        "documentInfo": ["Title": .string(title ?? name)],
      ],
    ]
  }

  /// Degrees for the one geographic reference that tiles are commonly cut in, else metres.
  private var units: String {
    scheme.spatialReference.isWGS84 ? "esriDecimalDegrees" : "esriMeters"
  }
}
