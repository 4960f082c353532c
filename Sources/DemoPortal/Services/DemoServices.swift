internal import Foundation
internal import PortolanFeatures
package import PortolanSample

/// The hosted services of the demo portal, made from the sample that ships.
///
/// They stand below `/arcgis/rest/services`, and those of the server that keeps users of its own
/// below `/secured/rest/services`.
public struct DemoServices: Sendable {
  /// The paths below which services stand.
  enum Root {
    static let portal = "/arcgis/rest/services"
    static let secured = "/secured/rest/services"
  }

  /// The name of the feature service with everything in *Explore Maine*; it can be edited and
  /// taken offline.
  public static let exploreMaine = "ExploreMaine"
  /// The name of a feature service of old ways: no pages, no buffers, ten features an answer.
  public static let oldTowns = "MaineTowns"
  /// The name of a feature service that only people who are signed in may see.
  public static let privateParks = "ParkSurveys"
  /// The name of a feature service of the server with other users, below `/secured`.
  public static let harborLights = "HarborLights"

  private let featureServices: [FeatureServiceRoutes]
  private let state: DemoState

  /// Makes the services anew.
  ///
  /// - Throws: An error of the sample if its sources are not beside the program.
  public init(state: DemoState) throws {
    self.init(state: state, contents: try SampleContents())
  }

  /// Makes the services of what was read before.
  package init(state: DemoState, contents: SampleContents) {
    let builder = ServiceBuilder(contents: contents, state: state)
    featureServices = builder.featureServices
    self.state = state
  }

  /// Adds the addresses of all services.
  func add(to router: inout Router) {
    for routes in featureServices {
      routes.add(to: &router)
      SyncRoutes(routes: routes, state: state).add(to: &router)
    }
  }
}

/// Makes services of what the sample holds.
struct ServiceBuilder {
  let contents: SampleContents
  let state: DemoState

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
    ]
  }

  private func routes(
    _ options: FeatureServiceOptions, _ tables: [HostedTable],
    root: String = DemoServices.Root.portal, realm: DemoRealm = .portal
  ) -> FeatureServiceRoutes {
    let itemID = DemoIdentifiers(seed: state.seed).itemID("service/\(options.name)")
    let service = HostedFeatureService(
      options, tables: tables, itemID: itemID, clock: state.clock, seed: state.seed)
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
