internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON

extension ServiceQueryParameters {
  /// The parameters that choose features.
  var selection: RESTParameters {
    var request: RESTParameters = [:]
    let isFree = objectIDs == nil && geometry == nil
    let clause = whereClause.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
    request["where"] = clause ?? (isFree ? "1=1" : nil)
    request["objectIds"] = objectIDs?.map(String.init).joined(separator: ",")
    if let (geometry, relationship) = spatialFilter {
      let reference = geometrySpatialReference
      request.set("geometry", json: geometry.esriJSON(spatialReference: reference))
      request["geometryType"] = geometry.type.rawValue
      request["inSR"] = reference?.parameter
      request["spatialRel"] = relationship.rawValue
    }
    return request
  }

  /// The shape as services understand it: a box across the antimeridian is sent in two parts.
  private var spatialFilter: (Geometry, SpatialRelationship)? {
    guard let geometry else { return nil }
    guard case .envelope(let box) = geometry else { return (geometry, spatialRelationship) }
    let parts = box.partsWithinWorld(worldWidth: geometrySpatialReference?.worldWidth)
    guard parts.count > 1 else { return (geometry, spatialRelationship) }
    let polygon = Polygon(rings: parts.flatMap(\.polygon.rings))
    // The envelope of both parts would be as wide as the world.
    let isByEnvelope = [.envelopeIntersects, .indexIntersects].contains(spatialRelationship)
    return (.polygon(polygon), isByEnvelope ? .intersects : spatialRelationship)
  }

  /// The parameters that say what is sent of the features of a table.
  func content(of schema: FeatureTableSchema?) -> RESTParameters {
    var request: RESTParameters = [
      "outFields": outFields.map { $0.joined(separator: ",") } ?? "*",
      "outSR": outSpatialReference?.parameter,
    ]
    let hasShapes = schema == nil || schema?.geometryType != nil
    request.set("returnGeometry", returnsGeometry && hasShapes)
    if returnsGeometry, hasShapes, let offset = maxAllowableOffset, offset > 0, offset.isFinite {
      request["maxAllowableOffset"] = "\(offset)"
    }
    if returnsGeometry, schema?.hasZ == true { request.set("returnZ", true) }
    if returnsGeometry, schema?.hasM == true { request.set("returnM", true) }
    return request
  }

  /// The order, with the object id at the end, so that pages neither overlap nor leave gaps.
  func order(with objectIDField: String?) -> String? {
    var fields = orderBy.map { "\($0.field) \($0.isDescending ? "DESC" : "ASC")" }
    if let objectIDField,
      !orderBy.contains(where: { $0.field.lowercased() == objectIDField.lowercased() })
    {
      fields.append("\(objectIDField) ASC")
    }
    return fields.isEmpty ? nil : fields.joined(separator: ",")
  }
}

extension SpatialReference {
  /// The reference as a parameter: its id, or an object where it has none.
  var parameter: String {
    wkid.map(String.init) ?? latestWKID.map(String.init) ?? esriJSON.text()
  }
}
