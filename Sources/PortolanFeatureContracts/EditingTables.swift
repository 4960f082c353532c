public import Foundation
public import PortolanFeatures
internal import PortolanGeometry

/// The tables that a store holds when ``EditingContract`` is checked.
///
/// Coordinates are multiples of a half degree, which every format holds exactly.
public enum EditingTables {
  /// Huts with photos, visits that belong to a hut, notes that mention one, and fields of land.
  public static let all = [huts, visits, notes, parcels]

  /// When the edits happen.
  public static let moment = Date(timeIntervalSince1970: 1_700_000_000.25)

  /// Who edits.
  public static let user = "ranger"

  // MARK: Huts: points with heights, subtypes, editor tracking, attachments

  static let kinds = Domain.codedValue(
    CodedValueDomain(
      name: "HutKinds",
      codedValues: [
        CodedValue(code: .integer(1), name: "Open"), CodedValue(code: .integer(2), name: "Locked"),
      ]))
  static let beds = Domain.range(
    RangeDomain(name: "Beds", minimum: .integer(0), maximum: .integer(40)))
  static let fewBeds = Domain.range(
    RangeDomain(name: "FewBeds", minimum: .integer(0), maximum: .integer(4)))

  static let hutFields = [
    Field("OBJECTID", .objectID, isNullable: false, isEditable: false),
    Field("NAME", .string, length: 12, isNullable: false),
    Field("KIND", .integer, domain: kinds, defaultValue: .integer(1)),
    Field("BEDS", .smallInteger, domain: beds), Field("AREA", .double), Field("SHARE", .single),
    Field("BUILT", .date), Field("SEAL", .blob), Field("OWNER", .guid),
    Field("FIXED", .string, length: 5, isEditable: false),
    Field("created_by", .string, length: 6, isEditable: false),
    Field("created_at", .date, isEditable: false),
    Field("edited_by", .string, length: 50, isEditable: false),
    Field("edited_at", .date, isEditable: false),
    Field("GlobalID", .globalID, isNullable: false, isEditable: false),
  ]

  static let huts = FeatureTableContents(
    schema: FeatureTableSchema(
      name: "Huts", geometryType: .point, hasZ: true, spatialReference: .wgs84, fields: hutFields,
      globalIDField: "GlobalID", typeIDField: "KIND",
      types: [
        FeatureType(id: .integer(1), name: "Open", domains: ["BEDS": fewBeds]),
        FeatureType(id: .integer(2), name: "Locked"),
      ], defaultTypeID: .integer(1),
      relationships: [relation("Visits", .origin, 1), relation("Notes", .origin, 2)],
      hasAttachments: true,
      editorTracking: EditorTracking(
        creatorField: "created_by", creationDateField: "created_at", editorField: "edited_by",
        editDateField: "edited_at"), serviceLayerID: 0),
    features: [hut(3, "Alm", 1, 4), hut(4, "Berg", 2, 30), hut(9, "Col", 1, 0)],
    attachedFiles: [
      .init(objectID: 3, name: "a.jpg", contentType: "image/jpeg", data: Data([1, 2, 3])),
      .init(objectID: 4, name: "b.txt", contentType: "text/plain", data: Data([4])),
    ])

  /// The global id of a hut, by its object id.
  public static func hutID(_ number: Int64) -> String {
    "{22222222-0000-4000-8000-00000000000\(number)}"
  }

  private static func hut(_ id: Int64, _ name: String, _ kind: Int64, _ beds: Int64) -> Feature {
    var attributes = Attributes(
      FieldList(hutFields), [.integer(id), .text(name), .integer(kind), .integer(beds)])
    attributes["GlobalID"] = .text(hutID(id))
    return Feature(
      objectID: id, attributes: attributes,
      geometry: .point(Point(x: Double(id) / 2, y: 45, z: 1000)))
  }

  // MARK: Visits and notes: rows that belong to a hut, for better or worse

  private static func relation(
    _ other: String, _ role: RelationshipInfo.Role, _ id: Int
  ) -> RelationshipInfo {
    let isOrigin = role == .origin
    return RelationshipInfo(
      id: id, name: "Hut\(isOrigin ? other : id == 1 ? "Visits" : "Notes")", relatedTable: other,
      cardinality: .oneToMany, role: role, keyField: isOrigin ? "GlobalID" : "HUT",
      relatedKeyField: isOrigin ? "HUT" : "GlobalID", isComposite: id == 1)
  }

  static let childFields = [
    Field("OBJECTID", .objectID, isNullable: false, isEditable: false), Field("HUT", .guid),
    Field("TEXT", .string, length: 40),
  ]

  static let visits = children("Visits", 1, [(1, 3), (2, 3), (3, 4)])
  static let notes = children("Notes", 2, [(1, 3), (2, 9)])

  private static func children(
    _ name: String, _ relationID: Int, _ rows: [(id: Int64, hut: Int64)]
  ) -> FeatureTableContents {
    FeatureTableContents(
      schema: FeatureTableSchema(
        name: name, fields: childFields,
        relationships: [relation("Huts", .destination, relationID)], serviceLayerID: relationID),
      features: rows.map { row in
        Feature(
          objectID: row.id,
          attributes: Attributes(
            FieldList(childFields), [.integer(row.id), .text(hutID(row.hut)), .text("old")]))
      })
  }

  // MARK: Parcels: areas without an id of their own

  static let parcelFields = [
    Field("OBJECTID", .objectID, isNullable: false, isEditable: false), Field("NO", .integer),
  ]

  static let parcels = FeatureTableContents(
    schema: FeatureTableSchema(
      name: "Parcels", geometryType: .polygon, spatialReference: .wgs84, fields: parcelFields,
      serviceLayerID: 3),
    features: [
      Feature(
        objectID: 1,
        attributes: Attributes(FieldList(parcelFields), [.integer(1), .integer(7)]),
        geometry: .polygon(Envelope(xMin: 0, yMin: 0, xMax: 1, yMax: 1).polygon))
    ])
}
