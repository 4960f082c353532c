internal import CProj

extension ProjContext {
  /// The definition of a reference: by the id in force, by the id as written, then by its text.
  ///
  /// Ids are looked up with EPSG first, then with Esri, whose ids do not overlap with those of
  /// EPSG where both matter.
  func definition(of reference: SpatialReference) throws(GeometryError) -> ProjObject {
    for id in [reference.currentWKID, reference.wkid] {
      if let id, let object = definition(ofID: id) { return object.horizontal() }
    }
    guard let text = reference.wkt else {
      throw .unknownSpatialReference(
        reference.displayName, reason: "neither EPSG nor Esri lists it")
    }
    guard let object = definition(ofText: text) else {
      throw .unknownSpatialReference(reference.displayName, reason: failureReason())
    }
    return object.horizontal()
  }

  private func definition(ofID id: Int) -> ProjObject? {
    for authority in ["EPSG", "ESRI"] {
      let handle = unsafe proj_create_from_database(
        self.handle, authority, String(id), PJ_CATEGORY_CRS, 0, nil)
      if let object = unsafe ProjObject(handle, in: self) { return object }
    }
    return nil
  }

  private func definition(ofText text: String) -> ProjObject? {
    let horizontal = SpatialReference.horizontalText(of: text)
    let handle = unsafe proj_create_from_wkt(self.handle, horizontal, nil, nil, nil)
    guard let object = unsafe ProjObject(handle, in: self), object.isReference else { return nil }
    return object
  }
}

extension SpatialReference {
  /// A short name for messages.
  var displayName: String {
    if let id = wkid ?? latestWKID { return "with the id \(id)" }
    guard let wkt else { return "without id and text" }
    let quoted = wkt.split(separator: "\"", maxSplits: 2)
    return quoted.count > 1 ? "\"\(quoted[1].prefix(60))\"" : "\"\(wkt.prefix(60))\""
  }
}
