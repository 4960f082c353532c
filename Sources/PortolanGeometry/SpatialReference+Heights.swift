internal import CProj

extension SpatialReference {
  /// The vertical datum, where a reference gives it apart from its other coordinates.
  package struct HeightReference: Hashable, Sendable {
    /// The name, such as `NAVD88 height`.
    package let name: String
    /// Whether the id of the whole reference stands for it, and not its text alone.
    package let isIdentified: Bool
  }

  /// The vertical datum; `nil` if the reference does not give it, or not in a way that is
  /// understood.
  ///
  /// Takes some milliseconds: ask once and keep the answer.
  package func heightReference() -> HeightReference? {
    // Without PROJ nothing is known of heights.
    guard let context = try? ProjContext() else { return nil }
    if let id = currentWKID, let name = context.heightName(ofID: id) {
      return HeightReference(name: name, isIdentified: true)
    }
    guard let wkt, let name = context.heightName(ofText: wkt) else { return nil }
    return HeightReference(name: name, isIdentified: false)
  }
}

extension ProjContext {
  fileprivate func heightName(ofID id: Int) -> String? {
    for authority in ["EPSG", "ESRI"] {
      let handle = unsafe proj_create_from_database(
        self.handle, authority, String(id), PJ_CATEGORY_CRS, 0, nil)
      if let object = unsafe ProjObject(handle, in: self) { return object.heightName }
    }
    return nil
  }

  fileprivate func heightName(ofText text: String) -> String? {
    // Esri writes the reference of heights behind the other one.
    let length = SpatialReference.horizontalText(of: text).utf8.count
    let rest = text.utf8.dropFirst(length).drop { $0 == UInt8(ascii: ",") || $0 <= 0x20 }
    let definition = rest.isEmpty ? text : String(decoding: rest, as: UTF8.self)
    let handle = unsafe proj_create_from_wkt(self.handle, definition, nil, nil, nil)
    guard let object = unsafe ProjObject(handle, in: self) else { return nil }
    return rest.isEmpty ? object.heightName : object.isOfHeights ? object.name : nil
  }
}

extension ProjObject {
  fileprivate var isOfHeights: Bool { unsafe proj_get_type(handle) == PJ_TYPE_VERTICAL_CRS }

  /// The name of the second part of a compound reference.
  fileprivate var heightName: String? {
    guard unsafe proj_get_type(handle) == PJ_TYPE_COMPOUND_CRS else { return nil }
    let part = unsafe proj_crs_get_sub_crs(context.handle, handle, 1)
    guard let heights = unsafe ProjObject(part, in: context) else { return nil }
    return heights.name
  }
}
