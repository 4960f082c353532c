internal import CProj

extension SpatialReference {
  /// The reference with its id, if it has none and its text is that of WGS 84 or Web Mercator.
  ///
  /// Files often define these two by text alone. Others stay as they are; see ``listed()``.
  public func identified() -> SpatialReference {
    guard currentWKID == nil, wkt != nil else { return self }
    // If the text cannot be read there is nothing to identify, and users of it get an error.
    guard let context = try? ProjContext(), let own = try? context.definition(of: self) else {
      return self
    }
    for known in [Self.wgs84, .webMercator] {
      // Losing the error is right: without its own database PROJ cannot identify anything.
      guard let other = try? context.definition(of: known) else { continue }
      if own.isEquivalent(to: other) {
        return SpatialReference(
          wkid: known.wkid, latestWKID: known.latestWKID, wkt: wkt, verticalWKID: verticalWKID)
      }
    }
    return self
  }

  /// The reference with its id, if it has none and its text defines what EPSG or Esri lists, under
  /// this name or another.
  ///
  /// Others stay as they are: their text says it all.
  ///
  /// Takes some milliseconds for what is listed, and some tenths of a second for what is not: ask
  /// once, as when a file is opened, and keep the answer.
  public func listed() -> SpatialReference {
    let known = identified()
    guard known.currentWKID == nil, wkt != nil else { return known }
    // If the text cannot be read there is nothing to look up, and users of it get an error.
    guard let context = try? ProjContext(), let own = try? context.definition(of: self) else {
      return known
    }
    var found = own.confirmedID
    for authority in ["EPSG", "ESRI"] where found == nil { found = own.listedID(by: authority) }
    guard let id = found else { return known }
    return SpatialReference(wkid: id, latestWKID: id, wkt: wkt, verticalWKID: verticalWKID)
  }
}

extension ProjObject {
  fileprivate func isEquivalent(to other: borrowing ProjObject) -> Bool {
    unsafe proj_is_equivalent_to_with_ctx(
      context.handle, handle, other.handle,
      PJ_COMP_EQUIVALENT_EXCEPT_AXIS_ORDER_GEOGCRS) != 0
  }

  /// The id under which a registry lists the same reference; `nil` if it does not, or if it lists
  /// several that are equally like it.
  fileprivate func listedID(by authority: String) -> Int? {
    var confidences: UnsafeMutablePointer<CInt>?
    guard let list = unsafe proj_identify(context.handle, handle, authority, nil, &confidences)
    else { return nil }
    defer {
      unsafe proj_list_destroy(list)
      unsafe proj_int_list_destroy(confidences)
    }
    guard let first = unsafe confidences else { return nil }
    let count = Int(unsafe proj_list_get_count(list))
    let levels = unsafe Array(UnsafeMutableBufferPointer(start: first, count: count))
    guard let best = levels.max(), best >= Self.sameDefinition else { return nil }
    var likest: [(id: Int, hasSameAxes: Bool)] = []
    for index in levels.indices where levels[index] == best {
      let handle = unsafe proj_list_get(context.handle, list, CInt(index))
      guard let entry = unsafe ProjObject(handle, in: context), let id = entry.id else { continue }
      likest.append((id, isEquivalent(to: entry)))
    }
    // Lists have some twice, with the northing as the first axis, which texts of Esri never have.
    if likest.count > 1 { likest = likest.filter { $0.hasSameAxes } }
    return likest.count == 1 ? likest[0].id : nil
  }

  /// The id that the definition itself names, if EPSG or Esri lists the same under it: in a text that was
  /// edited is still the id of what it was before.
  fileprivate var confirmedID: Int? {
    let authority = unsafe proj_get_id_auth_name(handle, 0).map { unsafe String(cString: $0) }
    guard let authority = authority?.uppercased(), ["EPSG", "ESRI"].contains(authority), let id
    else { return nil }
    let handle = unsafe proj_create_from_database(
      context.handle, authority, String(id), PJ_CATEGORY_CRS, 0, nil)
    guard let entry = unsafe ProjObject(handle, in: context),
      // Texts often leave out that the northing comes first.
      let listed = entry.withEastingFirst(), let own = withEastingFirst(),
      own.isEquivalent(to: listed)
    else { return nil }
    return id
  }

  /// The same reference with the easting as the first axis.
  private borrowing func withEastingFirst() -> ProjObject? {
    unsafe ProjObject(proj_normalize_for_visualization(context.handle, handle), in: context)
  }

  private var id: Int? {
    unsafe proj_get_id_code(handle, 0).map { unsafe String(cString: $0) }.flatMap { Int($0) }
  }

  /// The confidence of PROJ, in percent, in the same definition under another name.
  private static var sameDefinition: CInt { 70 }
}
