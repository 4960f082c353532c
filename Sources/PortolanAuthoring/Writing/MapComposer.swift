internal import Foundation
internal import PortolanFeatures
internal import PortolanFiles
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap
internal import PortolanPackages
internal import PortolanTileFiles
internal import PortolanTiles

/// Makes the maps of a package from their specifications, when its features are written.
struct MapComposer {
  let specification: PackageSpecification
  /// The written features.
  let store: any FeatureStore
  let schemas: [FeatureTableSchema]
  /// The name of their file in the package.
  let geodatabase: String
  /// Where the backdrops lie.
  let folder: URL
  let makeID: @Sendable () -> UUID
  /// What was gathered of the features while they were written.
  var numbers: GatheredNumbers?
  /// Whether the maps are only looked at for what is wrong, so that backdrops may be missing.
  var isTrial = false

  /// The room around what the layers show, as a part of its size.
  private static let margin = 0.05
  /// How large a single place is at most, in degrees: a metre, since coordinates are stored in steps.
  private static let sizeOfPlace = 0.00001
  /// The room around a single place, in degrees: half a kilometre to each side.
  private static let reachAroundPlace = 0.005

  /// The maps; what is wrong is added to `problems`.
  func maps(_ problems: SpecificationProblems) async throws -> [NewMobileMap] {
    var maps: [NewMobileMap] = []
    for map in specification.maps {
      let before = problems.all.count
      let composed = try await problems.collecting { try await self.map(map, problems) }
      if let composed, problems.all.count == before { maps.append(composed) }
    }
    return maps
  }

  private func map(
    _ map: MapSpecification, _ problems: SpecificationProblems
  ) async throws -> NewMobileMap {
    var json = document
    var layers: [Layer] = []
    for (index, layer) in map.layers.enumerated() {
      guard let schema = schemas.first(where: { $0.isCalled(layer.data) }) else { continue }
      layers.append(
        try await LayerComposer(
          specification: layer, schema: schema, store: store, id: "layer-\(index)",
          geodatabase: geodatabase, numbers: numbers
        ).layer(problems))
    }
    json["baseMap"] = try await problems.collecting { try basemap(map) }
    if let color = map.backgroundColor { json["background"] = ["color": color.json] }
    if let search = search(map, problems) {
      json["applicationProperties"] = ["viewing": ["search": search]]
    }
    var webMap = try WebMap(json: .object(json))
    webMap.operationalLayers = zip(layers, map.layers).filter { $0.0.role != .table }.map(\.0)
    webMap.tables = layers.filter { $0.role == .table }
    // What is wrong may be in the conditions that say what the layers show.
    let extent = problems.all.isEmpty ? try await extent(of: map) : nil
    if let extent {
      webMap.initialViewpoint = .extent(extent, spatialReference: .wgs84)
    }
    webMap.bookmarks = map.bookmarks.map {
      Bookmark(name: $0.name, viewpoint: .extent($0.extent, spatialReference: .wgs84))
    }
    return NewMobileMap(
      name: map.name, title: map.title, summary: map.summary, tags: map.tags, id: makeID(),
      extent: extent, webMap: webMap)
  }

  private var document: JSONObject {
    var json: JSONObject = [
      "operationalLayers": [], "authoringApp": "Portolan", "authoringAppVersion": "1.0",
      "version": .string(WebMap.currentVersion),
    ]
    json["spatialReference"] = specification.spatialReference.esriJSON
    return json
  }

  // MARK: Backdrop

  private func basemap(_ map: MapSpecification) throws(DataFault) -> JSONValue {
    guard let backdrop = map.backdrop else {
      return ["title": "None", "baseMapLayers": []]
    }
    let drawn = specification.backdrops.first { $0.name == backdrop.file }
    let url = folder.appending(
      path: drawn?.fileName ?? specification.file(backdrop.file).lastPathComponent)
    guard !isTrial || FileSystem.live.exists(url) else {
      return ["title": "None", "baseMapLayers": []]
    }
    let title =
      backdrop.title ?? drawn?.title ?? url.deletingPathExtension().lastPathComponent
    let file: TilePackageFile
    do throws(TileError) { file = try TilePackageFile.open(url) } catch {
      // The file is one beside the package that is being made, of which people know nothing.
      let reason = error.localizedDescription.replacing(url.path(percentEncoded: false), with: "it")
      throw DataFault(
        "\"\(backdrop.file)\" cannot be used as a backdrop: \(reason)", at: backdrop.path)
    }
    let type =
      switch file {
      case .raster: "ArcGISTiledMapServiceLayer"
      case .vector: "VectorTileLayer"
      }
    return [
      "title": .string(title),
      "baseMapLayers": [
        [
          "id": "backdrop", "title": .string(title), "layerType": .string(type),
          "path": .string(PackagePath("./\(url.lastPathComponent)").text), "visibility": true,
          "opacity": 1,
        ]
      ],
    ]
  }

  // MARK: Search

  private func search(
    _ map: MapSpecification, _ problems: SpecificationProblems
  ) -> JSONValue? {
    guard !map.search.isEmpty else { return nil }
    var layers: [JSONValue] = []
    for entry in map.search {
      guard let index = map.layers.firstIndex(where: { $0.answers(to: entry.layer) }),
        let schema = schemas.first(where: { $0.isCalled(map.layers[index].data) })
      else { continue }
      guard let field = schema.field(named: entry.field) else {
        problems.add(schema.absence(of: entry.field), at: entry.path.member("field"))
        continue
      }
      layers.append([
        "id": .string("layer-\(index)"),
        "field": [
          "name": .string(field.name), "exactMatch": false, "type": .string(field.type.rawValue),
        ],
      ])
    }
    var search: JSONObject = ["enabled": true, "layers": .array(layers)]
    search["hintText"] = map.searchHint.map { .string($0) }
    return .object(search)
  }

  // MARK: Extent

  /// What a map shows, in degrees: as its author says, else all features of its layers.
  private func extent(of map: MapSpecification) async throws -> Envelope? {
    if let extent = map.extent { return extent }
    var whole: Envelope?
    for layer in map.layers {
      guard let schema = schemas.first(where: { $0.isCalled(layer.data) }),
        schema.geometryType != nil
      else { continue }
      let extent = try await store.extent(
        of: schema.name, matching: QueryParameters(whereClause: layer.whereClause))
      guard let extent else { continue }
      whole = whole?.union(extent) ?? extent
    }
    guard let whole else { return nil }
    let degrees = try Projection(from: specification.spatialReference, to: .wgs84).project(whole)
    return Self.surroundings(of: degrees)
  }

  /// A box in degrees with some room around it, within the world unless the box itself reaches beyond.
  private static func surroundings(of box: Envelope) -> Envelope {
    let size = max(box.width, box.height)
    // A single place is shown with what lies around it, not on a map of the world.
    let room = box.expanded(by: size > sizeOfPlace ? margin * size : reachAroundPlace)
    return Envelope(
      xMin: max(room.xMin, min(box.xMin, -180)), yMin: max(room.yMin, -90),
      xMax: min(room.xMax, max(box.xMax, 180)), yMax: min(room.yMax, 90))
  }
}

extension FeatureTableSchema {
  func isCalled(_ name: String) -> Bool { self.name.lowercased() == name.lowercased() }
}
