internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap

/// The addresses of a map service that shows the layers of a feature service.
struct DynamicMapServiceRoutes: Sendable {
  let service: HostedFeatureService
  /// The path of the service, which ends with `MapServer`.
  let path: String

  /// Adds the addresses.
  func add(to router: inout Router) {
    router.add(path) { _ in .json(Self.root(await resource())) }
    router.add(path + "/layers") { _ in .json(await resource().layers) }
    router.add(path + "/legend") { _ in .json(try Self.legend(await service.content)) }
    router.add(path + "/export") { request in
      let picture = try ExportedPicture(request.parameters)
      return .bytes(
        try await picture.png(
          of: await service.content, shown: request.parameters.shownLayers,
          conditions: try request.parameters.layerConditions), type: "image/png")
    }
    router.add(path + "/identify") { request in
      .json(try MapIdentify(request.parameters).answer(from: await service.content))
    }
    router.add(path + "/find") { request in
      .json(
        try MapFind(request.parameters).answer(
          from: await service.content, now: service.clock.now()))
    }
    router.add(path + "/{layer}") { request in
      let resource = await resource()
      return .json(resource.layer(try resource.content.table(named: request.capture("layer"))))
    }
    router.add(path + "/{layer}/query") { request in
      let table = try await service.content.table(named: request.capture("layer"))
      return try FeatureQuery(request.parameters, of: table, in: service.options)
        .answer(from: table, service.options, now: service.clock.now())
    }
    router.add(path + "/{layer}/images/{image}") { request in
      let table = try await service.content.table(named: request.capture("layer"))
      let entry = Self.entries(of: table).first {
        Self.imageName($0, table) == request.capture("image")
      }
      guard let entry, let type = table.schema.geometryType else {
        throw DemoFailure.notFound(request.path)
      }
      return .bytes(
        try LegendSwatch(symbol: entry.symbol, geometryType: type).pngData(), type: "image/png")
    }
  }

  private func resource() async -> FeatureServiceResource {
    FeatureServiceResource(
      options: service.options, content: await service.content, itemID: service.itemID)
  }

  private static func root(_ resource: FeatureServiceResource) -> JSONValue {
    let root = resource.root
    var members: JSONObject = [
      "currentVersion": 11.5, "serviceDescription": .string(resource.options.summary),
      "mapName": .string(resource.options.name),
      "description": .string(resource.options.summary), "supportsDynamicLayers": false,
    ]
    for name in [
      "copyrightText", "layers", "tables", "spatialReference", "initialExtent", "fullExtent",
      "units", "maxRecordCount",
    ] {
      members[name] = root[name]
    }
    members["singleFusedMapCache"] = false
    members["minScale"] = 0
    members["maxScale"] = 0
    members["capabilities"] = "Map,Query,Data"
    members["supportedImageFormatTypes"] = "PNG32,PNG24,PNG"
    members["maxImageHeight"] = .integer(Int64(ExportedPicture.maximumSide))
    members["maxImageWidth"] = .integer(Int64(ExportedPicture.maximumSide))
    members["supportedQueryFormats"] = "JSON, geoJSON, PBF"
    members["exportTilesAllowed"] = false
    members["documentInfo"] = ["Title": .string(resource.options.name)]
    return .object(members)
  }

  // MARK: Legend

  private static func entries(of table: HostedTable) -> [LegendInfo] {
    Renderer(json: table.drawingInfo?["renderer"])?.legendEntries ?? []
  }

  /// A name that changes with what is shown.
  private static func imageName(_ entry: LegendInfo, _ table: HostedTable) -> String {
    DemoIdentifiers(seed: UInt64(table.id)).itemID("\(table.schema.name)/\(entry.name)")
  }

  private static func legend(_ content: HostedContent) throws -> JSONValue {
    [
      "layers": .array(
        try content.layers.map { table in
          [
            "layerId": .integer(Int64(table.id)), "layerName": .string(table.schema.alias),
            "layerType": "Feature Layer", "minScale": 0, "maxScale": 0,
            "legend": .array(try entries(of: table).map { try legend($0, of: table) }),
          ]
        })
    ]
  }

  private static func legend(_ entry: LegendInfo, of table: HostedTable) throws -> JSONValue {
    let type = table.schema.geometryType ?? .point
    let picture = try LegendSwatch(symbol: entry.symbol, geometryType: type).pngData()
    var members: JSONObject = [
      "label": .string(entry.name), "url": .string(imageName(entry, table)),
      "imageData": .string(picture.base64EncodedString()), "contentType": "image/png",
      "height": .integer(Int64(LegendSwatch.side)), "width": .integer(Int64(LegendSwatch.side)),
    ]
    if case .values(let values) = entry.value {
      members["values"] = .array(values.map { .string($0.joined(separator: ",")) })
    }
    return .object(members)
  }
}
