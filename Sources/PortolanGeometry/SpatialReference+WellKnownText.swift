internal import CProj

extension SpatialReference {
  /// The definition in the well-known text that Esri's software writes, which files keep beside
  /// the id.
  ///
  /// That of the reference itself where it has one, else what PROJ knows, which takes some
  /// milliseconds.
  ///
  /// - Throws: ``GeometryError/unknownSpatialReference(_:reason:)``.
  /// - SeeAlso: [WKT 1, dialect of Esri](https://proj.org/en/stable/development/reference/functions.html#c.proj_as_wkt)
  public func esriWellKnownText() throws(GeometryError) -> String {
    if let wkt { return wkt }
    return try ProjContext().definition(of: self).esriWellKnownText(of: self)
  }
}

extension ProjObject {
  fileprivate borrowing func esriWellKnownText(
    of reference: SpatialReference
  ) throws(GeometryError) -> String {
    let options = "MULTILINE=NO"
    let text = unsafe options.withCString { option in
      unsafe [option, nil].withUnsafeBufferPointer { list in
        unsafe proj_as_wkt(context.handle, handle, PJ_WKT1_ESRI, list.baseAddress)
          .map { unsafe String(cString: $0) }
      }
    }
    guard let text else {
      throw .unknownSpatialReference(
        reference.displayName, reason: "it cannot be written in the form of Esri")
    }
    return text
  }
}
