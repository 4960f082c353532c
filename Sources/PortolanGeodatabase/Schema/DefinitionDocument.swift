internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanXML

/// The XML definition of a table, as `GDB_Items` holds it.
///
/// - SeeAlso: Docs/FORMATS.md, 2.2
struct DefinitionDocument {
  private let root: XMLElement

  /// Finds the domain of a name.
  typealias DomainLookup = (String, FieldType) -> Domain?

  /// Reads a document; `nil` if it is none of a table.
  init?(_ text: String) {
    // What cannot be parsed is as good as missing: the columns themselves are the next source.
    guard let root = try? XMLElement(parsing: text),
      ["DEFeatureClassInfo", "DETableInfo"].contains(root.name)
    else { return nil }
    self.root = root
  }

  /// The name for people, if there is one.
  var alias: String? { root.text(of: "AliasName") }

  var objectIDField: String? { root.text(of: "OIDFieldName").map(TableName.unqualified) }

  var globalIDField: String? { root.text(of: "GlobalIDFieldName").map(TableName.unqualified) }

  var shapeField: String? { root.text(of: "ShapeFieldName").map(TableName.unqualified) }

  var geometryType: GeometryType? {
    root.text(of: "ShapeType").flatMap(GeometryType.init(rawValue:))
  }

  var hasZ: Bool { root.text(of: "HasZ") == "true" }

  var hasM: Bool { root.text(of: "HasM") == "true" }

  /// The declared extent; some writers leave `NaN`.
  var extent: Envelope? {
    guard let element = root.child("Extent") else { return nil }
    let edges = ["XMin", "YMin", "XMax", "YMax"].compactMap { name in
      element.text(of: name).flatMap(Double.init)
    }
    guard edges.count == 4, edges.allSatisfy({ abs($0) < 1e35 }) else { return nil }
    let extent = Envelope(xMin: edges[0], yMin: edges[1], xMax: edges[2], yMax: edges[3])
    return extent.isEmpty ? nil : extent
  }

  /// The reference of the shapes.
  var spatialReference: SpatialReference? {
    guard let element = root.child("SpatialReference") else { return nil }
    func number(_ name: String) -> Int? { element.text(of: name).flatMap { Int($0) } }
    let reference = SpatialReference(
      wkid: number("WKID"), latestWKID: number("LatestWKID"), wkt: element.text(of: "WKT"),
      verticalWKID: number("VCSWKID"))
    return reference == SpatialReference() ? nil : reference
  }

  var editorTracking: EditorTracking? {
    guard root.text(of: "EditorTrackingEnabled") == "true" else { return nil }
    return EditorTracking(
      creatorField: root.text(of: "CreatorFieldName"),
      creationDateField: root.text(of: "CreatedAtFieldName"),
      editorField: root.text(of: "EditorFieldName"),
      editDateField: root.text(of: "EditedAtFieldName"))
  }

  /// The fields, without the shape and without what is computed from it (`st_length(SHAPE)`).
  func fields(domain: DomainLookup) -> [Field] {
    (root.child("GPFieldInfoExs")?.children ?? []).compactMap { field($0, domain) }
  }

  private func field(_ element: XMLElement, _ domain: DomainLookup) -> Field? {
    guard let name = element.text(of: "Name"), !name.contains("("),
      let type = element.text(of: "FieldType").flatMap(FieldType.init(rawValue:)),
      type != .geometry
    else { return nil }
    let isIdentifier = type == .objectID || type == .globalID
    return Field(
      TableName.unqualified(name), type, alias: element.text(of: "AliasName"),
      length: element.text(of: "Length").flatMap { Int($0) },
      isNullable: element.text(of: "IsNullable").map { $0 == "true" } ?? !isIdentifier,
      isEditable: element.text(of: "Editable").map { $0 == "true" } ?? !isIdentifier,
      domain: element.text(of: "DomainName").flatMap { domain($0, type) },
      defaultValue: defaultValue(element, type))
  }

  private func defaultValue(_ element: XMLElement, _ type: FieldType) -> AttributeValue? {
    if let text = element.text(of: "DefaultValueString") { return .text(text) }
    guard let number = element.text(of: "DefaultValueNumeric").flatMap(Double.init) else {
      return nil
    }
    switch type {
    case .smallInteger, .integer, .bigInteger: return Int64(exactly: number).map { .integer($0) }
    default: return .double(number)
    }
  }

  /// The field with the code of the subtype.
  var subtypeField: String? { root.text(of: "SubtypeFieldName").map(TableName.unqualified) }

  /// The code of the subtype that new features have.
  var defaultSubtype: AttributeValue? {
    subtypeField == nil
      ? nil : root.text(of: "DefaultSubtypeCode").flatMap { Int64($0) }.map { .integer($0) }
  }

  /// The subtypes, with the domains and defaults that differ in them.
  func subtypes(fields: [Field], domain: DomainLookup) -> [FeatureType] {
    let elements = root.child("Subtypes")?.children ?? []
    return elements.compactMap { subtype($0, FieldList(fields), domain) }
  }

  private func subtype(
    _ element: XMLElement, _ fields: FieldList, _ domain: DomainLookup
  ) -> FeatureType? {
    guard let code = element.text(of: "SubtypeCode").flatMap({ Int64($0) }) else { return nil }
    var domains: [String: Domain] = [:]
    for info in element.child("FieldInfos")?.children ?? [] {
      guard let field = info.text(of: "FieldName"), let name = info.text(of: "DomainName"),
        let position = fields.position(of: field)
      else { continue }
      domains[field] = domain(name, fields.fields[position].type)
    }
    return FeatureType(
      id: .integer(code), name: element.text(of: "SubtypeName") ?? "\(code)", domains: domains)
  }
}
