internal import CProj

extension SpatialReference {
  /// The definition in the well-known text that Esri's software writes, which files keep beside
  /// the id.
  ///
  /// Returns the definition of the reference itself if it has one, else that of PROJ, which takes
  /// some milliseconds.
  ///
  /// - Throws: ``GeometryError/unknownSpatialReference(_:reason:)``.
  /// - SeeAlso: [WKT 1, dialect of Esri](https://proj.org/en/stable/development/reference/functions.html#c.proj_as_wkt)
  public func esriWellKnownText() throws(GeometryError) -> String {
    if let wkt { return wkt }
    return try ProjContext().definition(of: self).esriWellKnownText(of: self)
  }

  /// The first definition in a text.
  ///
  /// Esri writes a vertical reference behind the horizontal one, which is no grammar of PROJ's.
  package static func horizontalText(of text: String) -> String {
    var depth = 0
    var isQuoted = false
    for (offset, byte) in text.utf8.enumerated() {
      switch byte {
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: "["), UInt8(ascii: "("): depth += isQuoted ? 0 : 1
      case UInt8(ascii: "]"), UInt8(ascii: ")"):
        depth -= isQuoted ? 0 : 1
        if depth == 0, !isQuoted { return String(text.utf8.prefix(offset + 1)) ?? text }
      default: continue
      }
    }
    return text
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
