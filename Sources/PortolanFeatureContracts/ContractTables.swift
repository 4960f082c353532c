internal import Foundation
public import PortolanFeatures
internal import PortolanGeometry

/// The tables that a store holds when ``FeatureStoreContract`` is checked.
///
/// Coordinates are multiples of a half degree, which every format holds exactly.
public enum ContractTables {
  /// Towns, parks, rangers, who guards which park, and a thousand stones.
  public static let all = [towns, parks, rangers, guards, stones]

  static func guid(_ number: Int) -> AttributeValue {
    .text("{00000000-0000-4000-8000-00000000000\(number)}")
  }

  static let founded = Date(timeIntervalSince1970: 1_486_846_504.125)

  // MARK: Towns: points, a field of each kind, attachments

  static let townFields = [
    Field("OBJECTID", .objectID, isNullable: false, isEditable: false),
    Field("NAME", .string, alias: "Name", length: 40), Field("POP", .integer),
    Field("RANK", .smallInteger), Field("WEALTH", .bigInteger), Field("AREA", .double),
    Field("SHARE", .single), Field("FOUNDED", .date), Field("NOTE", .guid), Field("SEAL", .blob),
    Field("PARK", .integer),
    Field("GlobalID", .globalID, isNullable: false, isEditable: false),
  ]

  static let towns = FeatureTableContents(
    schema: FeatureTableSchema(
      name: "Towns", geometryType: .point, spatialReference: .wgs84,
      extent: Envelope(xMin: -70.5, yMin: 43.5, xMax: -67, yMax: 46), fields: townFields,
      globalIDField: "GlobalID", displayField: "NAME",
      relationships: [
        RelationshipInfo(
          id: 1, name: "TownsOfPark", relatedTable: "Parks", cardinality: .oneToMany,
          role: .destination, keyField: "PARK", relatedKeyField: "PARKNO")
      ], hasAttachments: true, serviceLayerID: 0),
    features: [
      town(
        3,
        [
          .text("Portland"), .integer(66_215), .integer(1), .integer(9_000_000_000_000),
          .double(179.75), .double(0.5), .date(founded), guid(9), .blob(Data([0, 255, 7])),
          .integer(10),
        ], (-70.5, 43.5)),
      town(
        7,
        [
          .text("bangor"), .integer(31_753), .integer(2), .integer(-1), .double(88.5),
          .double(-0.25), .date(Date(timeIntervalSince1970: -86_400)), .null, .null, .integer(10),
        ], (-69, 45)),
      town(8, [.text("Éastport"), .integer(1288), .null, .null, .double(-3)], (-67, 45)),
      town(20, [.text("O'Brien"), .integer(31_753), .integer(2)], (-68.5, 46)),
      town(21, [], nil),
    ],
    attachedFiles: [
      .init(objectID: 7, name: "hill.jpg", contentType: "image/jpeg", data: Data([1, 2, 3, 0])),
      .init(objectID: 7, name: "leer.txt", contentType: "text/plain", data: Data()),
      .init(objectID: 20, name: "b.pdf", contentType: "application/pdf", data: Data(0...255)),
    ])

  private static func town(
    _ id: Int64, _ values: [AttributeValue], _ place: (x: Double, y: Double)?
  ) -> Feature {
    var attributes = Attributes(FieldList(townFields), [.integer(id)] + values)
    attributes["GlobalID"] = .text("{11111111-0000-4000-8000-0000000000\(id < 10 ? "0" : "")\(id)}")
    return Feature(
      objectID: id, attributes: attributes,
      geometry: place.map { .point(Point(x: $0.x, y: $0.y)) })
  }
}
