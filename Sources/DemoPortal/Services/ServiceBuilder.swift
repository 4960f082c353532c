internal import Foundation
internal import PortolanFeatures
internal import PortolanSample

/// Makes services of what the sample holds.
struct ServiceBuilder {
  let contents: SampleContents
  let state: DemoState
  let soundings: Soundings

  var featureServices: [FeatureServiceRoutes] {
    [
      routes(
        FeatureServiceOptions(
          name: DemoServices.exploreMaine,
          summary: "Towns, lighthouses, parks, lakes, trails and counties of Maine"),
        contents.tables.map(hosted)),
      routes(
        FeatureServiceOptions(
          name: DemoServices.oldTowns, summary: "Towns of Maine", capabilities: "Query",
          maxRecordCount: 10, supportsPagination: false, formats: ["JSON"]),
        [alone("Towns")].compactMap { $0 }),
      routes(
        FeatureServiceOptions(
          name: DemoServices.privateParks, summary: "Parks of Maine", needsToken: true),
        [alone("Parks")].compactMap { $0 }),
      routes(
        FeatureServiceOptions(
          name: DemoServices.harborLights, summary: "Lighthouses of Maine",
          capabilities: "Query", needsToken: true),
        [alone("Lighthouses")].compactMap { $0 }, root: DemoServices.Root.secured,
        realm: .secured),
    ] + productServices + soundingServices
  }

  /// The same layers as three products serve them, chosen by the path.
  private var productServices: [FeatureServiceRoutes] {
    [
      routes(
        FeatureServiceOptions(
          name: DemoServices.exploreMaine, summary: "Maine, as ArcGIS Enterprise 10.9 serves it",
          // A service that is not hosted has no place for uploads.
          capabilities: "Create,Delete,Query,Update,Editing,Sync", maxRecordCount: 1000,
          formats: ["JSON", "geoJSON"], product: .enterprise109),
        contents.tables.map(hosted), root: DemoServices.Root.enterprise),
      routes(
        FeatureServiceOptions(
          name: DemoServices.exploreMaine, summary: "Maine, as ArcGIS Server 10.2 serves it",
          capabilities: "Create,Delete,Query,Update,Editing,Sync", maxRecordCount: 1000,
          formats: ["JSON"], product: .server102),
        contents.tables.map(hosted), root: DemoServices.Root.server102),
      routes(
        FeatureServiceOptions(
          name: DemoServices.exploreMaine, summary: "Maine, as ArcGIS Online serves it",
          product: .online),
        contents.tables.map(hosted), root: DemoServices.Root.online),
    ]
  }

  private var soundingServices: [FeatureServiceRoutes] {
    let table = soundings.table
    return [
      routes(
        FeatureServiceOptions(
          name: DemoServices.soundings, summary: "Invented depths", timeField: "TAKEN"), [table]),
      routes(
        FeatureServiceOptions(
          name: DemoServices.oldSoundings, summary: "Invented depths", capabilities: "Query",
          maxRecordCount: 500, supportsPagination: false, formats: ["JSON"]), [table]),
    ]
  }

  func tileServices() throws -> [TileServiceRoutes] {
    [
      try vectors(
        TileServiceOptions(name: DemoServices.vectorBackdrop, summary: "Places of Maine")),

      pictures(
        TileServiceOptions(
          name: DemoServices.backdrop, summary: "Maine and its neighbours",
          maxExportTilesCount: 4000)),
      pictures(
        TileServiceOptions(
          name: DemoServices.onlineBackdrop, summary: "Maine and its neighbours",
          answersAsOnline: true)),
    ]
  }

  private func pictures(_ options: TileServiceOptions) -> TileServiceRoutes {
    let renderer = BackdropTiles(contents: contents)
    let path = "\(DemoServices.Root.portal)/\(options.name)/MapServer"
    return TileServiceRoutes(
      service: .pictures(
        TiledMapServiceRoutes(
          options: options, renderer: renderer, cache: TileCache(renderer),
          itemID: itemID(options.name), path: path)),
      export: ExportRoutes(
        exporter: PictureExporter(renderer: renderer, options: options), state: state,
        path: path, outputs: ServiceOutputs()))
  }

  private func vectors(_ options: TileServiceOptions) throws -> TileServiceRoutes {
    let names = ["Parks", "Lakes", "Trails", "Towns", "Lighthouses"]
    let tiles = FeatureTiles(names.compactMap(alone))
    let style = try VectorTileStyle()
    let path = "\(DemoServices.Root.portal)/\(options.name)/VectorTileServer"
    return TileServiceRoutes(
      service: .vectors(
        VectorTileServiceRoutes(
          options: options, tiles: tiles, style: style, cache: TileCache(tiles),
          itemID: itemID(options.name), path: path)),
      export: ExportRoutes(
        exporter: VectorTileExporter(tiles: tiles, style: style, options: options),
        state: state, path: path, outputs: ServiceOutputs()))
  }

  private func itemID(_ name: String) -> String {
    DemoIdentifiers(seed: state.seed).itemID("service/\(name)")
  }

  private func routes(
    _ options: FeatureServiceOptions, _ tables: [HostedTable],
    root: String = DemoServices.Root.portal, realm: DemoRealm = .portal
  ) -> FeatureServiceRoutes {
    let service = HostedFeatureService(
      options, tables: tables, itemID: itemID(options.name), clock: state.clock, seed: state.seed)
    return FeatureServiceRoutes(
      service: service, path: "\(root)/\(options.name)/FeatureServer", realm: realm)
  }

  /// A table as services hold it.
  private func hosted(_ table: SampleContents.Table) -> HostedTable {
    var schema = table.schema
    schema.isChangeTracked = true
    return hosted(table, schema)
  }

  /// The table of that name as the only layer of a service.
  private func alone(_ name: String) -> HostedTable? {
    guard let table = contents.tables.first(where: { $0.schema.name == name }) else { return nil }
    var schema = table.schema
    schema.serviceLayerID = 0
    schema.relationships = []
    return hosted(table, schema)
  }

  private func hosted(
    _ table: SampleContents.Table, _ schema: FeatureTableSchema
  ) -> HostedTable {
    var files: [HostedTable.File] = []
    for row in table.rows {
      for file in row.attachments {
        files.append(
          HostedTable.File(
            id: Attachment.ID(files.count + 1), globalID: file.globalID ?? "",
            objectID: row.feature.objectID, name: file.name, contentType: file.contentType,
            data: file.data, keywords: "", added: 1, changed: 1))
      }
    }
    return HostedTable(
      schema: schema, drawingInfo: table.drawingInfo, features: table.rows.map(\.feature),
      files: files)
  }
}
