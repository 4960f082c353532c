internal import PortolanGeometry
public import PortolanJSON

public import struct Foundation.Data

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
    self.init(header: json, fields, firstGeometry: list.first?["geometry"])
    read(list, hasZ: json["hasZ"]?.bool, hasM: json["hasM"]?.bool)
  }

  /// Parses the answer to a query, as ``init(json:fields:)`` reads it, but in a fraction of the
  /// time and memory.
  ///
  /// - Parameters:
  ///   - data: The document.
  ///   - layerFields: The fields of the layer, for answers without.
  /// - Throws: ``JSONError`` if it is no JSON, or if its features have more values than fit in memory.
  public init?(parsing data: Data, fields layerFields: [Field]? = nil) throws(JSONError) {
    let tape = try JSONTape(parsing: data)
    guard let list = tape.member("features", of: tape.root), tape.kind(at: list) == .array else {
      return nil
    }
    let header = JSONValue.object(Self.header(of: tape))
    let fields = Self.fields(of: header) ?? layerFields
    let objectIDField = Self.objectIDField(of: header, fields ?? [])
    // What is out of the ordinary is read at leisure.
    guard let fields, objectIDField.map({ FieldList(fields).position(of: $0) != nil }) ?? true
    else {
      let json = tape.value(at: tape.root)
      let shown = fields ?? Self.fields(shownBy: json["features"]?.array ?? [], of: json)
      try Self.checkSize(tape.elementCount(at: list), shown.count, byteCount: data.count)
      self.init(json: json, fields: shown)
      return
    }
    try Self.checkSize(tape.elementCount(at: list), fields.count, byteCount: data.count)
    let first = tape.member("geometry", of: tape.first(in: list)).map { tape.value(at: $0) }
    self.init(header: header, fields, firstGeometry: first)
    let reader = FeatureTapeReader(
      FieldList(fields), hasZ: header["hasZ"]?.bool, hasM: header["hasM"]?.bool)
    read(tape, list, reader)
  }

  /// How many values any set may have; in larger documents there may be as many as bytes.
  private static let leastMaximumValues = 1 << 24

  /// Makes sure that the values fit in memory: a feature takes some for each field, though it may say nothing of
  /// most of them.
  private static func checkSize(
    _ features: Int, _ fields: Int, byteCount: Int
  ) throws(JSONError) {
    guard fields <= max(leastMaximumValues, byteCount) / max(features, 1) else {
      throw .tooManyValues
    }
  }

  /// Everything but the features.
  private init(header: JSONValue, _ fields: [Field], firstGeometry: JSONValue?) {
    self.init(
      fields: fields, objectIDField: Self.objectIDField(of: header, fields),
      geometryType: header["geometryType"]?.string.flatMap(GeometryType.init(rawValue:)),
      spatialReference: SpatialReference(esriJSON: header["spatialReference"])
        ?? SpatialReference(esriJSON: firstGeometry?["spatialReference"]),
      hasZ: header["hasZ"]?.bool ?? false, hasM: header["hasM"]?.bool ?? false,
      exceedsTransferLimit: header["exceededTransferLimit"]?.bool ?? false)
  }

  /// The members of the document but for the features.
  private static func header(of tape: borrowing JSONTape) -> JSONObject {
    var members: [JSONObject.Member] = []
    var name = tape.first(in: tape.root)
    while !tape.isEnd(at: name) {
      let value = tape.value(of: name)
      if !tape.isString(at: name, "features"), let text = tape.string(at: name) {
        members.append(JSONObject.Member(name: text, value: tape.value(at: value)))
      }
      name = tape.next(after: value)
    }
    return JSONObject(members)
  }

  private mutating func read(
    _ tape: borrowing JSONTape, _ list: Int, _ reader: FeatureTapeReader
  ) {
    features.reserveCapacity(tape.elementCount(at: list))
    var place = tape.first(in: list)
    while !tape.isEnd(at: place) {
      let attributes = reader.attributes(tape, at: tape.member("attributes", of: place))
      var feature = Feature(objectID: 0, attributes: attributes)
      do {
        feature.geometry = try reader.geometry(tape, at: tape.member("geometry", of: place))
      } catch {
        unreadableShapes.append(UnreadableShape(index: features.count, reason: error))
      }
      features.append(feature)
      place = tape.next(after: place)
    }
    giveObjectIDs()
    noteGeometryType()
  }

  /// Takes the object ids from the attributes, if each feature has one of its own, or else numbers
  /// the features from 1.
  package mutating func giveObjectIDs() {
    let ids = objectIDs() ?? []
    if ids.isEmpty { objectIDField = nil }
    for index in features.indices {
      features[index].objectID = ids.isEmpty ? Int64(index + 1) : ids[index]
    }
  }

  private func objectIDs() -> [Int64]? {
    guard let objectIDField, let fieldList = features.first?.attributes.fieldList else {
      return nil
    }
    // Of two fields of one name, which servers do send, the last is the one that is meant.
    let last = fieldList.fields.lastIndex { $0.name == objectIDField }
    guard let position = last ?? fieldList.position(of: objectIDField) else { return nil }
    var ids: [Int64] = []
    ids.reserveCapacity(features.count)
    var areAscending = true
    for feature in features {
      guard let id = feature.attributes.values[position].wholeNumber else { return nil }
      areAscending = areAscending && id > ids.last ?? .min
      ids.append(id)
    }
    return areAscending || Set(ids).count == ids.count ? ids : nil
  }

  /// Without a kind of its own the set has that of the first shape.
  package mutating func noteGeometryType() {
    if geometryType == nil { geometryType = features.lazy.compactMap(\.geometry?.type).first }
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
    noteGeometryType()
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
}

extension AttributeValue {
  /// The number, if it is a whole one, whatever the type of the field.
  fileprivate var wholeNumber: Int64? {
    switch self {
    case .integer(let number): number
    case .double(let number): Int64(exactly: number)
    default: nil
    }
  }
}
