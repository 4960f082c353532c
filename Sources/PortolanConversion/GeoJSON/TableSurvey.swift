internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON

/// The common properties of the features of one family of shapes.
struct TableSurvey {
  private var names: [String] = []
  private var fields: [String: FieldSurvey] = [:]
  private var ids = FieldSurvey()
  private var count = 0
  /// The names of properties beyond the most.
  private var surplus: Set<String> = []
  private var hasZ = false
  private var hasSets = false
  private var extent = Envelope.empty

  /// The most properties; a table of a database has no more columns.
  static let mostFields = 1_900
  /// How many further names are distinguished.
  private static let mostSurplus = 100_000

  var isEmpty: Bool { count == 0 }

  /// Takes a feature into account.
  mutating func add(_ item: GeoJSONItem) {
    count += 1
    if let id = item.id { ids.add(id, featureID: id) }
    for member in item.properties.members {
      if fields[member.name] == nil {
        guard names.count < Self.mostFields else {
          if surplus.count < Self.mostSurplus { surplus.insert(member.name) }
          continue
        }
        names.append(member.name)
        fields[member.name] = FieldSurvey(
          findsRepetitions: ObjectIDColumn.names.contains(member.name.lowercased()))
      }
      fields[member.name, default: FieldSurvey()].add(member.value, featureID: item.id)
    }
    guard let geometry = item.geometry else { return }
    if case .multipoint = geometry { hasSets = true }
    if !hasZ { hasZ = geometry.paths.contains { $0.z != nil } }
    if let box = geometry.extent { extent = extent.union(box) }
  }

  // MARK: The table

  /// The table that holds all features.
  func table(
    name: String, shape: GeoJSONItem.Family, families: Set<GeoJSONItem.Family>,
    reference: SpatialReference
  ) -> GeoJSONTable {
    let objectIDs = self.objectIDs
    let objectIDField = self.objectIDField(objectIDs)
    var list: [(Field, GeoJSONTable.Origin)] = []
    if !names.contains(objectIDField) {
      list.append((Self.objectIDField(named: objectIDField), .objectID))
    }
    if objectIDs != .featureIDs, ids.count > 0, !repeatsIDs(objectIDs) {
      list.append((Field(unused("id"), ids.type), .featureID))
    }
    for name in names {
      if name == objectIDField {
        list.append((Self.objectIDField(named: name), .objectID))
      } else {
        list.append((Field(name, fields[name]?.type ?? .string), .property(name)))
      }
    }
    let fields = list.map(\.0)
    return GeoJSONTable(
      schema: FeatureTableSchema(
        name: name, geometryType: geometryType(of: shape), hasZ: hasZ,
        spatialReference: shape == .none ? nil : reference,
        extent: extent.isEmpty ? nil : extent, fields: fields, objectIDField: objectIDField),
      fields: FieldList(fields), families: families, origins: list.map(\.1), objectIDs: objectIDs,
      count: count, surplusCount: surplus.count)
  }

  /// What the properties have that fields have not, in sentences.
  func notes(ofTable table: String) -> [String] {
    let boolean = names.filter { fields[$0]?.isBoolean == true }
    let nested = names.filter { fields[$0]?.isNested == true }
    return [objectIDNote(ofTable: table)].compactMap(\.self)
      + boolean.map { "True and false in \"\($0)\" of \"\(table)\" are 1 and 0." }
      + nested.map { "Lists and objects in \"\($0)\" of \"\(table)\" are text." }
      + names.flatMap { fields[$0]?.momentNotes(on: $0, of: table) ?? [] }
  }

  private static func objectIDField(named name: String) -> Field {
    Field(name, .objectID, isNullable: false, isEditable: false)
  }

  private func geometryType(of family: GeoJSONItem.Family) -> GeometryType? {
    switch family {
    case .point: hasSets ? .multipoint : .point
    case .line: .polyline
    case .area: .polygon
    case .none: nil
    }
  }

  // MARK: Object ids

  private var objectIDs: GeoJSONTable.ObjectIDs {
    if ids.count == count, ids.isIncreasing { return .featureIDs }
    for wanted in ObjectIDColumn.names {
      let property = names.first { name in
        guard name.lowercased() == wanted, let field = fields[name] else { return false }
        return field.count == count && (field.isUnique || field.isIncreasing)
      }
      if let property { return .property(property) }
    }
    return .order
  }

  /// Whether object ids are in a property that repeats the id of each feature.
  private func repeatsIDs(_ objectIDs: GeoJSONTable.ObjectIDs) -> Bool {
    guard case .property(let name) = objectIDs else { return false }
    return ids.count == count && fields[name]?.isFeatureID == true
  }

  private func objectIDField(_ objectIDs: GeoJSONTable.ObjectIDs) -> String {
    if case .property(let name) = objectIDs { return name }
    let repeated =
      objectIDs == .featureIDs
      ? names.first { fields[$0].map { $0.count == count && $0.isFeatureID } ?? false } : nil
    return repeated ?? ObjectIDColumn.name(besides: names)
  }

  /// Where object ids are, if not in the property whose name says so, in a sentence.
  private func objectIDNote(ofTable table: String) -> String? {
    let objectIDs = self.objectIDs
    let field = objectIDField(objectIDs)
    guard objectIDs == .featureIDs else {
      return ObjectIDColumn.note(on: field, among: names, of: table)
    }
    guard !names.contains(field), let other = ObjectIDColumn.likeliest(among: names) else {
      return nil
    }
    return "The object ids of \"\(table)\" are the ids of its features, in \"\(field)\"; "
      + "\"\(other)\" has other values."
  }

  private func unused(_ name: String) -> String {
    let taken = Set(names.map { $0.lowercased() })
    var candidate = name
    var number = 1
    while taken.contains(candidate.lowercased()) {
      candidate = "\(name)_\(number)"
      number += 1
    }
    return candidate
  }
}
