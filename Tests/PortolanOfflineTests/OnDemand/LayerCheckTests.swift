import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanPortal
import PortolanTestSupport
import Testing

@testable import PortolanOffline

/// The issues that keep layers of services from being taken offline, and the rows that are
/// requested.
@Suite struct LayerCheckTests {
  private static let layer: JSONObject = [
    "id": 3, "type": "Feature Layer", "name": "Huts", "geometryType": "esriGeometryPoint",
    "objectIdField": "OBJECTID", "globalIdField": "GlobalID",
    "capabilities": "Create,Delete,Query,Update,Editing",
    "fields": .array([
      field("OBJECTID", "esriFieldTypeOID"), field("GlobalID", "esriFieldTypeGlobalID"),
      field("NAME"),
    ]), "extent": ["spatialReference": ["wkid": 102_100]],
  ]

  private static func field(_ name: String, _ type: String = "esriFieldTypeString") -> JSONValue {
    ["name": .string(name), "type": .string(type)]
  }

  private static func fields(with name: String) -> JSONValue {
    .array((layer["fields"]?.array ?? []) + [field(name)])
  }

  private func check(
    _ changes: JSONObject = [:], service: JSONObject = [:]
  ) throws -> LayerCheck {
    var layer = Self.layer
    for change in changes.members { layer[change.name] = change.value }
    var info: JSONObject = ["layers": [], "syncEnabled": true, "capabilities": "Query,Sync"]
    for change in service.members { info[change.name] = change.value }
    return LayerCheck(
      service: try #require(FeatureServiceInfo(json: .object(info))),
      layer: try #require(FeatureLayerInfo(json: .object(layer))))
  }

  private func check(_ layer: String, _ service: String) throws -> LayerCheck {
    try check(
      try #require(try JSONValue(parsing: layer).object),
      service: try #require(try JSONValue(parsing: service).object))
  }

  private static let tracking = """
    {"creationDateField": "a", "creatorField": "b", "editDateField": "c", "editorField": "d"}
    """

  /// A deviation of a layer and its service, and the issue that follows.
  private static let issues: [(String, String, OfflineIssue?)] = [
    ("{}", "{}", nil), ("{}", #"{"syncEnabled": false}"#, .syncNotEnabled),
    (#"{"isView": true, "isMultiServicesView": true}"#, "{}", .multipleServicesView),
    ("{}", #"{"isView": true, "isMultiServicesView": true}"#, .multipleServicesView),
    (#"{"isMultiServicesView": true}"#, "{}", nil),
    (#"{"indexes": [{"name": "a_b"}, {"name": "a+b"}]}"#, "{}", .indexName("a+b")),
    (#"{"indexes": [{"name": "a-b"}]}"#, "{}", .indexName("a-b")),
    (#"{"indexes": [{"name": "a_b"}, {}]}"#, "{}", nil),
    (#"{"globalIdField": ""}"#, "{}", .missingGlobalID),
    (#"{"fields": null}"#, "{}", .missingGlobalID), (#"{"fields": []}"#, "{}", .missingGlobalID),
    (#"{"globalIdField": "GID_2"}"#, "{}", .missingGlobalID),
    (#"{"globalIdField": "GLOBALID"}"#, "{}", nil),
    (
      #"{"relationships": [{"name": "R", "keyField": "GONE"}]}"#, "{}",
      .missingRelationshipKey("R")
    ), (#"{"relationships": [{"name": "R", "keyField": "name"}]}"#, "{}", nil),
    (#"{"relationships": [{"name": "R", "keyField": ""}]}"#, "{}", nil),
    (#"{"subtypeField": "KIND"}"#, "{}", .missingSubtypeField("KIND")),
    (#"{"subtypeField": "name"}"#, "{}", nil), (#"{"isView": true}"#, "{}", .missingEditorTracking),
    (#"{"isView": true, "editFieldsInfo": \#(tracking)}"#, "{}", nil),
    (
      #"{"isView": true, "editFieldsInfo": {"creatorField": "b"}}"#, "{}", .missingEditorTracking
    ), (#"{"isView": true, "capabilities": "Query"}"#, "{}", nil),
  ]

  @Test(arguments: issues)
  func `Each check finds what it is for, and nothing else`(
    _ layer: String, _ service: String, _ issue: OfflineIssue?
  ) throws {
    #expect(try check(layer, service).issue == issue)
  }

  @Test func `Names that a geodatabase could not have are in the way, also of a mere copy`() throws
  {
    let (longest, tooLong) = (
      String(repeating: "A", count: 128), String(repeating: "A", count: 129)
    )
    #expect(try check(["fields": Self.fields(with: longest)]).issue == nil)
    var found = try check(["fields": Self.fields(with: tooLong)])
    #expect(found.issue == .longFieldName(tooLong) && !found.allowsCopy)
    found = try check(["fields": Self.fields(with: "Order")])
    #expect(found.issue == .reservedFieldName("Order") && !found.allowsCopy)
  }

  @Test(arguments: ["gdb_archive_oid", "GDB_FROM_DATE", "name", "A\u{7}"], [true, false])
  func `A field whose name no geodatabase can have is in the way of everything`(
    _ name: String, _ isSynced: Bool
  ) throws {
    let found = try check(
      ["fields": Self.fields(with: name)], service: ["syncEnabled": .bool(isSynced)])
    #expect(found.issue == .unstorableFieldName(name) && !found.allowsCopy)
  }

  @Test(arguments: [true, false])
  func `A field has as many characters as replicas may have, also where they are made here`(
    _ isSynced: Bool
  ) throws {
    let (longest, tooLong) = (
      String(repeating: "A", count: 128), String(repeating: "A", count: 129)
    )
    let service: JSONObject = ["syncEnabled": .bool(isSynced)]
    #expect(try check(["fields": Self.fields(with: longest)], service: service).allowsCopy)
    let found = try check(["fields": Self.fields(with: tooLong)], service: service)
    #expect(found.issue == .longFieldName(tooLong) && !found.allowsCopy)
  }

  @Test func `A field that is called as the column of the shapes is not in the way`() throws {
    #expect(try check(["fields": Self.fields(with: "Shape")]).issue == nil)
  }

  @Test func `A service that does not say whether it synchronizes says it among what it can do`()
    throws
  {
    for (words, isEnabled) in [("Query,Sync", true), ("Query", false)] {
      let json: JSONValue = ["layers": [], "capabilities": .string(words)]
      let service = try #require(FeatureServiceInfo(json: json))
      let layer = try #require(FeatureLayerInfo(json: .object(Self.layer)))
      let issue = LayerCheck(service: service, layer: layer).issue
      #expect(issue == (isEnabled ? nil : OfflineIssue.syncNotEnabled))
    }
  }

  private static let copies: [(String, String, Bool)] = [
    ("{}", "{}", true), ("{}", #"{"syncEnabled": false}"#, true),
    (#"{"globalIdField": ""}"#, "{}", true), (#"{"capabilities": "Create"}"#, "{}", false),
    (#"{"capabilities": ""}"#, "{}", true),
    (#"{"capabilities": ""}"#, #"{"capabilities": "Create"}"#, false),
    (#"{"capabilities": ""}"#, #"{"capabilities": ""}"#, true),
  ]

  @Test(arguments: copies)
  func `What may be asked for can be copied, whether it can be synchronized or not`(
    _ layer: String, _ service: String, _ isAllowed: Bool
  ) throws {
    #expect(try check(layer, service).allowsCopy == isAllowed)
  }

  @Test(arguments: [
    ("Create,Update,Delete", true), ("create, update, delete, query", true),
    ("Create,Update", false), ("Editing", true), ("Query,Editing,Update", false), ("Query", false),
  ])
  func `A layer can be edited where features may be added, changed and removed`(
    _ words: String, _ isEditable: Bool
  ) throws {
    #expect(try check(["capabilities": .string(words)]).isEditable == isEditable)
    let whole = try check(["capabilities": ""], service: ["capabilities": .string(words)])
    #expect(whole.isEditable == isEditable)
  }

  // MARK: - Rows

  private func rows(
    _ option: GenerateLayerOption, of layer: JSONObject = Self.layer, reference: Int? = nil
  ) throws -> GeodatabaseRows {
    let client = RESTClient(
      transport: StubTransport { .json("{}", to: $0) }, authenticator: AnonymousAuthenticator())
    let url = try #require(URL(string: "https://a.example/Parks/FeatureServer"))
    let info = try #require(
      FeatureServiceInfo(json: ["layers": [], "capabilities": "Query"]))
    return GeodatabaseRows(
      options: GenerateGeodatabaseParameters(
        layerOptions: [option, GenerateLayerOption(layerID: 99)], extent: DemoBed.casco,
        returnsAttachments: false, attachmentSyncDirection: .none, syncModel: .none,
        outSpatialReference: reference),
      source: MapSources.Features(
        service: FeatureService(url: url, client: client), info: info,
        layers: [try #require(FeatureLayerInfo(json: .object(layer)))]))
  }

  private func query(
    _ option: GenerateLayerOption, of layer: JSONObject = Self.layer, reference: Int? = nil
  ) throws -> ServiceQueryParameters {
    let rows = try rows(option, of: layer, reference: reference)
    // A layer that the service does not have is none.
    #expect(rows.layers.map(\.option.layerID) == [3])
    return rows.query(try #require(rows.layers.first))
  }

  @Test func `Rows are limited by the area and the condition, or by neither`() throws {
    let plain = ServiceQueryParameters()
    let both = try query(GenerateLayerOption(layerID: 3, whereClause: "A > 1"))
    #expect(both.whereClause == "A > 1" && both.geometry == DemoBed.casco.geometry)
    #expect(both.geometrySpatialReference?.isWGS84 == true)
    #expect(both.outSpatialReference?.isWebMercator == true)
    let area = try query(GenerateLayerOption(layerID: 3))
    #expect(area.whereClause == plain.whereClause && area.geometry != nil)
    let condition = try query(
      GenerateLayerOption(layerID: 3, whereClause: "A > 1", usesGeometry: false))
    #expect(condition.whereClause == "A > 1" && condition.geometry == nil)
    let all = try query(
      GenerateLayerOption(layerID: 3, whereClause: "A > 1", queryOption: .all), reference: 4326)
    #expect(all.whereClause == plain.whereClause && all.geometry == nil)
    #expect(all.outSpatialReference?.isWGS84 == true)
    // Rows of a table lie nowhere.
    var table = Self.layer
    table["geometryType"] = nil
    let visits = try query(
      GenerateLayerOption(layerID: 3, whereClause: "A > 1"), of: table, reference: 4326)
    #expect(visits.whereClause == "A > 1" && visits.geometry == nil)
    #expect(visits.outSpatialReference == nil)
  }

  @Test
  func `Only of a table the rows are taken that relate to others, where nothing else is asked`()
    throws
  {
    var table = Self.layer
    table["geometryType"] = nil
    let cases: [(JSONObject, GenerateLayerOption, Bool)] = [
      (table, GenerateLayerOption(layerID: 3, queryOption: .none), true),
      (table, GenerateLayerOption(layerID: 3, includesRelated: false, queryOption: .none), false),
      (table, GenerateLayerOption(layerID: 3, queryOption: .all), false),
      (Self.layer, GenerateLayerOption(layerID: 3, queryOption: .none), false),
    ]
    for (layer, option, isRelatedOnly) in cases {
      let rows = try rows(option, of: layer)
      #expect(rows.isRelatedOnly(try #require(rows.layers.first)) == isRelatedOnly)
    }
  }

  @Test(arguments: [("NAME", nil), ("GONE", nil), ("globalid", "globalid")])
  func `A copy has room for rows that contradict the description of their fields`(
    _ globalID: String, _ expected: String?
  ) throws {
    var layer = Self.layer
    layer["globalIdField"] = .string(globalID)
    layer["fields"] = .array([
      Self.field("OBJECTID", "esriFieldTypeOID"), Self.field("GlobalID", "esriFieldTypeGlobalID"),
      [
        "name": "NAME", "type": "esriFieldTypeString", "length": 1, "nullable": false,
      ],
    ])
    let schema = try #require(
      try rows(GenerateLayerOption(layerID: 3), of: layer).layers.first
    ).schema
    #expect(schema.globalIDField == expected)
    let name = try #require(schema.field(named: "NAME"))
    #expect(name.isNullable && name.length == nil)
  }
}
