internal import PortolanFeatures
internal import PortolanGeometry

/// A table of the sample and the source of its rows.
struct SampleTable: Sendable {
  /// The file below the folder of sources.
  var source: String
  var schema: FeatureTableSchema

  /// The tables, in the order of their ids.
  static let all: [SampleTable] = [
    towns, lighthouses, parks, lakes, trails, counties, lighthouseEvents,
  ]

  static let lighthouses = SampleTable(
    "Lighthouses", id: 1, .point, from: "lighthouses.geojson",
    [
      Field("FIRST_LIT", .smallInteger, alias: "First lit", domain: SampleDomains.year),
      Field("HEIGHT_FT", .smallInteger, alias: "Height of the tower (feet)"),
      Field("FOCAL_FT", .smallInteger, alias: "Height of the light above the sea (feet)"),
      Field("ACCESS", .smallInteger, alias: "Access", domain: SampleDomains.access),
      Field("TOWER", .string, alias: "Tower", length: 20, domain: SampleDomains.tower),
      Field("BANDS", .string, alias: "Colour of the bands", length: 20),
    ],
    relationship: RelationshipInfo(
      id: 0, name: "History", relatedTable: "LighthouseEvents", cardinality: .oneToMany,
      role: .origin, keyField: "GlobalID", relatedKeyField: "LIGHTHOUSE_ID"),
    hasAttachments: true)

  private static let towns = SampleTable(
    "Towns", id: 0, .point, from: "towns.geojson",
    [
      Field("COUNTY", .string, alias: "County", length: 40),
      Field("KIND", .string, alias: "Kind", length: 20, domain: SampleDomains.townKind),
      Field("POPULATION", .integer, alias: "Population", domain: SampleDomains.population),
      Field("CENSUS", .date, alias: "Day of the census"),
    ])

  private static let parks = SampleTable(
    "Parks", id: 2, .polygon, from: "parks.geojson",
    [
      Field("KIND", .string, alias: "Kind", length: 20, domain: SampleDomains.parkKind),
      Field("ACRES", .double, alias: "Area (acres)"),
      Field("ESTABLISHED", .smallInteger, alias: "Established", domain: SampleDomains.year),
    ])

  private static let lakes = SampleTable(
    "Lakes", id: 3, .polygon, from: "lakes.geojson",
    [Field("ACRES", .double, alias: "Area (acres)")])

  private static let trails = SampleTable(
    "Trails", id: 4, .polyline, from: "trails.geojson",
    [
      Field("KIND", .string, alias: "Kind", length: 20),
      Field("DIFFICULTY", .smallInteger, alias: "Difficulty", domain: SampleDomains.difficulty),
    ])

  private static let counties = SampleTable(
    "Counties", id: 5, .point, from: "counties.geojson",
    [
      Field("SEAT", .string, alias: "County seat", length: 40),
      Field("POP_2010", .integer, alias: "Population in 2010", domain: SampleDomains.population),
      Field("POP_2020", .integer, alias: "Population in 2020", domain: SampleDomains.population),
      Field("LAND_SQMI", .integer, alias: "Land (square miles)"),
      Field("WATER_SQMI", .integer, alias: "Water (square miles)"),
    ])

  private static let lighthouseEvents = SampleTable(
    "LighthouseEvents", alias: "Lighthouse events", id: 6, nil, from: "lighthouse-events.json",
    [
      Field("YEAR", .smallInteger, alias: "Year", domain: SampleDomains.year),
      Field("EVENT", .string, alias: "Event", length: 80),
      Field("LIGHTHOUSE_ID", .guid, alias: "Id of the lighthouse", length: 38),
    ],
    displayField: "EVENT",
    relationship: RelationshipInfo(
      id: 0, name: "Lighthouse", relatedTable: "Lighthouses", cardinality: .oneToMany,
      role: .destination, keyField: "LIGHTHOUSE_ID", relatedKeyField: "GlobalID"))

  private init(
    _ name: String, alias: String? = nil, id: Int, _ geometryType: GeometryType?,
    from source: String, _ fields: [Field], displayField: String = "NAME",
    relationship: RelationshipInfo? = nil, hasAttachments: Bool = false
  ) {
    self.source = source
    schema = FeatureTableSchema(
      name: name, alias: alias, geometryType: geometryType,
      spatialReference: geometryType.map { _ in .webMercator },
      fields: [Field("OBJECTID", .objectID, isNullable: false, isEditable: false)]
        + [Field("NAME", .string, alias: "Name", length: 80)] + fields
        + [Field("GlobalID", .globalID, length: 38, isNullable: false, isEditable: false)],
      globalIDField: "GlobalID", displayField: displayField,
      relationships: relationship.map { [$0] } ?? [], hasAttachments: hasAttachments,
      serviceLayerID: id)
  }
}
