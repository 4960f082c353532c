internal import CProj

extension SpatialReference {
  /// Looks up who lists the reference, and how it is defined there; `nil` if it has no id that is
  /// listed, or one of heights or times alone.
  ///
  /// Takes some milliseconds: ask once and keep the answer.
  public func registered() -> RegisteredSpatialReference? {
    // Without PROJ's database nothing is listed.
    guard let context = try? ProjContext() else { return nil }
    for id in [currentWKID, wkid] {
      guard let id else { continue }
      for authority in ["EPSG", "ESRI"] {
        if let found = context.registered(authority, id) { return found }
      }
    }
    return nil
  }

  /// The definition in well-known text that the reference contains, in the form of OGC 01-009
  /// that GDAL writes; its own text where that form cannot hold it, `nil` if it has none.
  public func plainWellKnownText() -> String? {
    guard let wkt else { return nil }
    // Other software may understand a text that PROJ does not: it is handed on as it is.
    guard let context = try? ProjContext(),
      // The same holds for a text that is damaged.
      let object = try? context.definition(of: SpatialReference(wkt: wkt))
    else { return wkt }
    return object.plainText ?? wkt
  }
}

extension ProjContext {
  fileprivate func registered(_ authority: String, _ id: Int) -> RegisteredSpatialReference? {
    let handle = unsafe proj_create_from_database(
      self.handle, authority, String(id), PJ_CATEGORY_CRS, 0, nil)
    guard let object = unsafe ProjObject(handle, in: self)?.horizontal(), object.isOnGround,
      let text = object.plainText
    else { return nil }
    return RegisteredSpatialReference(
      authority: authority, id: id, name: object.name, wellKnownText: text)
  }
}

extension ProjObject {
  /// Whether it says where on the ground something is, as heights, times and distances from the
  /// middle of the earth alone do not.
  fileprivate var isOnGround: Bool {
    let type = unsafe proj_get_type(handle)
    return type != PJ_TYPE_VERTICAL_CRS && type != PJ_TYPE_GEOCENTRIC_CRS
      && type != PJ_TYPE_TEMPORAL_CRS
  }

  /// The definition as GDAL writes it; `nil` where that form cannot hold it.
  fileprivate var plainText: String? {
    unsafe "MULTILINE=NO".withCString { option in
      unsafe [option, nil].withUnsafeBufferPointer { list in
        unsafe proj_as_wkt(context.handle, handle, PJ_WKT1_GDAL, list.baseAddress)
          .map { unsafe String(cString: $0) }
      }
    }
  }
}
