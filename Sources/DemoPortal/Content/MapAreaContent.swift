internal import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanSample
internal import PortolanTileFiles
internal import PortolanTiles

/// A preplanned area of *Explore Maine*, with its packages if they are ready.
struct MapAreaContent: Sendable {
  /// The progress of the server with the packages.
  enum Status: String, Sendable {
    case processing
    case complete
    case failed
  }

  /// The area.
  let item: DemoItem
  /// The packages; none unless the area is complete.
  let packages: [DemoItem]

  /// Puts the area on the portal, below its map.
  func install(in state: DemoState, of map: String) async {
    await state.put(item)
    await state.relate(map, to: item.id, as: "Map2Area")
    for package in packages {
      await state.put(package)
      await state.relate(item.id, to: package.id, as: "Area2Package")
    }
  }
}

extension DemoContent {
  /// The areas: three that are complete, one that is not yet, and one that failed.
  var mapAreas: [MapAreaContent] {
    [
      area("Casco Bay", [-70.45, 43.4, -69.75, 43.9], .complete),
      area("Acadia", [-68.75, 44.0, -67.95, 44.5], .complete, layout: .tpk),
      area("Katahdin", [-69.3, 45.7, -68.6, 46.2], .complete),
      area("Moosehead Lake", [-70.0, 45.4, -69.4, 45.9], .processing),
      area("Bold Coast", [-67.6, 44.5, -66.85, 45.0], .failed),
    ]
  }

  private func area(
    _ title: String, _ corners: [Double], _ status: MapAreaContent.Status,
    layout: TilePackageLayout = .tpkx
  ) -> MapAreaContent {
    let box = Envelope(xMin: corners[0], yMin: corners[1], xMax: corners[2], yMax: corners[3])
    var area = item("area/\(title)", title, "Map Area", box: box)
    area.typeKeywords = ["Map", "Map Area"]
    area.snippet = "A part of Maine to take along."
    area.tags = ["Maine", "map area"]
    area.properties = [
      "status": .string(status.rawValue), "extent": mercator(box),
      "area": ["resource": "area/geometry-1773576000.json"],
      "packageRefreshSchedule": "0 0 3 ? * SUN",
    ]
    let polygon: JSONValue = ["polygon": polygon(box)]
    area.resources = [
      DemoItem.Resource(
        name: "area/geometry-1773576000.json", body: polygon.encoded(), created: Self.moment)
    ]
    area.content = .document(Self.areaDocument.text())
    guard status == .complete else { return MapAreaContent(item: area, packages: []) }
    return MapAreaContent(
      item: area,
      packages: [geodatabasePackage(title, box), tilePackage(title, box, layout: layout)])
  }

  private static let areaDocument: JSONValue = [
    "mapAreas": [
      "mapAreaTileScale": ["minScale": 4_622_324.434309, "maxScale": 288_895.277144],
      "mapAreaRefreshParams": ["type": "weekly", "startDate": 1_773_576_000_000, "dayOfWeek": 0],
      "mapAreasScheduledUpdatesEnabled": true,
    ]
  ]

  /// The box as a service's extent; empty if it cannot be projected.
  func mercator(_ box: Envelope) -> JSONValue {
    // A box off the projection has no extent in it; the areas above have one.
    guard let box = try? ProjectedExtent(box).metres else { return .null }
    return [
      "xmin": .number(box.xMin), "ymin": .number(box.yMin), "xmax": .number(box.xMax),
      "ymax": .number(box.yMax), "spatialReference": ["wkid": 102_100, "latestWkid": 3857],
    ]
  }

  private func polygon(_ box: Envelope) -> JSONValue {
    guard let box = mercator(box).object, let xMin = box["xmin"], let xMax = box["xmax"],
      let yMin = box["ymin"], let yMax = box["ymax"]
    else { return .null }
    return [
      "rings": [[[xMin, yMin], [xMin, yMax], [xMax, yMax], [xMax, yMin], [xMin, yMin]]],
      "spatialReference": ["wkid": 102_100, "latestWkid": 3857],
    ]
  }

  private func package(
    _ kind: String, _ title: String, _ type: String, _ box: Envelope, service: String, file: String,
    keywords: [String]
  ) -> DemoItem {
    var package = item(
      "\(kind)/\(title)", "\(service)-\(identifiers.itemID("\(kind)/\(title)/name"))", type,
      box: box)
    package.name = file
    package.typeKeywords = keywords + ["MapAreaPackage", "Package", "Data"]
    package.tags = ["map area"]
    return package
  }

  /// The features of an area, as an item; `title` is what its id is made from.
  func geodatabasePackage(_ title: String, _ box: Envelope) -> DemoItem {
    let service = DemoServices.itemAddress(DemoServices.exploreMaine, "FeatureServer")
    let name = "replica_\(identifiers.itemID("replica/\(title)"))"
    var package = package(
      "geodatabase", title, "SQLite Geodatabase", box, service: DemoServices.exploreMaine,
      file: "\(name).geodatabase",
      keywords: [
        "SQLite Geodatabase", "Replica", "Syncable", "Bidirectional",
        "ReferenceURL#\(service)",
      ])
    let ids = contents.tables.compactMap(\.schema.serviceLayerID).map { Int64($0) }
    package.properties = [
      "url": .string(service), "layers": .array(ids.map { .integer($0) }),
      "extent": mercator(box), "layerQueries": [:],
      "replicaID": "00000000-0000-0000-0000-000000000000",
      "layerServerGens": .array(ids.map { ["id": .integer($0), "serverGen": 1] }),
      "returnAttachments": true, "attachmentsSyncDirection": "bidirectional",
      "syncModel": "perLayer", "useSyncForRefresh": true, "hasUtilityNetworkLayer": false,
    ]
    let region = RegionalPackage(
      contents: contents, name: name, title: "Explore Maine", summary: title, box: box,
      id: identifiers)
    package.content = .file(
      DemoFile(name: "\(name).geodatabase") { url, base in
        let address = DemoItem.placed(service, at: base)
        try region.writeGeodatabase(to: url, replica: try Self.replica(title, box, ids, address))
      })
    return package
  }

  /// Packages carry a registration without an owner: a copy registers itself when it is taken.
  private static func replica(
    _ title: String, _ box: Envelope, _ ids: [Int64], _ address: String
  ) throws -> SyncReplica {
    SyncReplica(
      name: title, replicaID: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
      serviceURL: address, owner: "demo", direction: .download, created: moment,
      returnsAttachments: true, geometry: try ProjectedExtent(box).metres.polygon,
      spatialReference: .webMercator,
      layers: ids.map { SyncReplica.Layer(layerID: Int($0), serverGeneration: 1) })
  }

  /// The backdrop of an area, as an item; `title` is what its id is made from.
  func tilePackage(
    _ title: String, _ box: Envelope, layout: TilePackageLayout
  ) -> DemoItem {
    let service = DemoServices.itemAddress(DemoServices.backdrop, "MapServer")
    let name = "tile_\(identifiers.itemID("tile/\(title)"))"
    let file = "\(name).\(layout.rawValue)"
    var package = package(
      "tiles", title, layout == .tpk ? "Tile Package" : "Compact Tile Package", box,
      service: DemoServices.backdrop, file: file,
      keywords: ["ArcGlobe", "ArcMap", layout.rawValue, "ReferenceURL#\(service)"])
    package.properties = [
      "url": .string(service), "levels": "7,8,9,10,11", "compressionQuality": -1,
      "extent": mercator(box),
    ]
    let tiles = RegionalTiles(contents: contents, name: name, box: box, levels: 7...11)
    package.content = .file(
      DemoFile(name: file) { url, _ in
        try await tiles.write(to: url, layout: layout)
      })
    return package
  }
}
