internal import PortolanGeometry
public import PortolanJSON

extension FeatureSet {
  /// Reads the answer to a query, or a `featureSet` of a web map; `nil` if it lists no features.
  ///
  /// Lax: a shape that cannot be read is left away and noted in ``unreadableShapes``. Without
  /// `fields` of its own, the set has those given here (the layer's), or else those that its
  /// attributes show. Object ids are taken from the field that the set names, or that is typed as
  /// such, if each feature has one of its own; otherwise features are numbered from 1.
  public init?(json: JSONValue, fields layerFields: [Field]? = nil) {
    guard let list = json["features"]?.array else { return nil }
    let fields = Self.fields(of: json) ?? layerFields ?? Self.fields(shownBy: list, of: json)
    self.init(
      fields: fields, objectIDField: Self.objectIDField(of: json, fields),
      geometryType: json["geometryType"]?.string.flatMap(GeometryType.init(rawValue:)),
      spatialReference: SpatialReference(esriJSON: json["spatialReference"])
        ?? Self.spatialReference(ofFirst: list),
      hasZ: json["hasZ"]?.bool ?? false, hasM: json["hasM"]?.bool ?? false,
      exceedsTransferLimit: json["exceededTransferLimit"]?.bool ?? false)
    read(list, hasZ: json["hasZ"]?.bool, hasM: json["hasM"]?.bool)
  }

  private mutating func read(_ list: [JSONValue], hasZ: Bool?, hasM: Bool?) {
    let fieldList = FieldList(fields)
    let ids = objectIDs(of: list)
    features.reserveCapacity(list.count)
    for (index, json) in list.enumerated() {
      let id = ids?[index] ?? Int64(index + 1)
      do {
        features.append(
          try Feature(esriJSON: json, objectID: id, fields: fieldList, hasZ: hasZ, hasM: hasM))
      } catch {
        let attributes = Attributes(esriJSON: json["attributes"], fields: fieldList)
        features.append(Feature(objectID: id, attributes: attributes))
        unreadableShapes.append(UnreadableShape(index: index, reason: error))
      }
    }
    if geometryType == nil { geometryType = features.lazy.compactMap(\.geometry?.type).first }
    if ids == nil { objectIDField = nil }
  }

  /// The ids in the field named, if all features have different ones.
  private func objectIDs(of list: [JSONValue]) -> [Int64]? {
    guard let objectIDField else { return nil }
    let ids = list.compactMap {
      $0["attributes"]?.object?.value(ignoringCase: objectIDField)?.integer
    }
    return ids.count == list.count && Set(ids).count == ids.count ? ids : nil
  }

  private static func objectIDField(of json: JSONValue, _ fields: [Field]) -> String? {
    json.name("objectIdFieldName") ?? fields.first { $0.type == .objectID }?.name
  }

  private static func fields(of json: JSONValue) -> [Field]? {
    guard let list = json["fields"]?.array else { return nil }
    let fields = list.compactMap(Field.init(json:))
    return fields.isEmpty ? nil : fields
  }

  /// Fields for the names that occur, in the order in which they do.
  private static func fields(shownBy list: [JSONValue], of json: JSONValue) -> [Field] {
    var fields: [Field] = []
    var places: [String: Int] = [:]
    for feature in list {
      for member in feature["attributes"]?.object?.members ?? [] {
        let type = FieldType(shownBy: member.value)
        if let place = places[member.name] {
          fields[place].type = fields[place].type.widened(to: type)
        } else {
          places[member.name] = fields.count
          let alias = json["fieldAliases"]?.name(member.name)
          fields.append(Field(member.name, type ?? .string, alias: alias))
        }
      }
    }
    return fields
  }

  private static func spatialReference(ofFirst list: [JSONValue]) -> SpatialReference? {
    list.first.flatMap { SpatialReference(esriJSON: $0["geometry"]?["spatialReference"]) }
  }
}

extension FieldType {
  /// What a value looks like; `nil` for `null`, which looks like anything.
  fileprivate init?(shownBy value: JSONValue) {
    switch value {
    case .null: return nil
    case .integer, .bool: self = .bigInteger
    case .number: self = .double
    case .string, .array, .object: self = .string
    }
  }

  /// A type for both; whole numbers are numbers, everything can be text.
  fileprivate func widened(to other: FieldType?) -> FieldType {
    guard let other, other != self else { return self }
    return isNumeric && other.isNumeric ? .double : .string
  }
}
