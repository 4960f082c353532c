public import PortolanGeometry
internal import PortolanOffline
internal import PortolanPortal

extension OfflineMapModel {
  /// The area of a request with latitude and longitude exchanged, if that is probably meant: a box in
  /// degrees lies outside of the map, and the exchanged one does not.
  ///
  /// - Returns: That box; `nil` also where nobody says what the map covers.
  public func swappedArea(of request: Request) async -> Envelope? {
    guard case .envelope(let box) = request.area.geometry, request.area.spatialReference.isWGS84
    else { return nil }
    let swapped = Envelope(xMin: box.yMin, yMin: box.xMin, xMax: box.yMax, yMax: box.xMax)
    guard swapped.yMin >= -90, swapped.yMax <= 90 else { return nil }
    // What cannot be found out is no reason to warn of anything.
    guard let task = try? await self.task(request),
      // As above.
      let item = try? await task.portal.item(task.webMap),
      let extent = item.extent, !extent.intersects(box), extent.intersects(swapped)
    else { return nil }
    return swapped
  }
}
