public import Foundation
public import PortolanLibrary
internal import PortolanPackages

extension MapDescription {
  /// Reads what an offline map says about where it came from; `nil` if it does not.
  ///
  /// - Parameters:
  ///   - package: The folder or file of the map.
  ///   - folder: Where compressed parts of archives are unpacked to.
  ///   - now: The present, for expiry.
  public init?(of package: URL, unpackingInto folder: URL, now: Date) async {
    guard
      // A map that does not open is found damaged, and then this does not matter.
      let package = try? await MobileMapPackage.open(
        at: package, unpackingInto: folder, now: now, refusesExpired: false),
      let item = package.maps.first?.item
    else { return nil }
    let address = package.area?.portalURL ?? item.portalURL
    let origin: StoredMap.Origin
    switch (item.originalPortalItemID, package.area?.areaItemID) {
    case (let webMap?, let area?): origin = .preplannedArea(webMap: webMap, area: area)
    case (let webMap?, nil) where address != nil: origin = .onDemandArea(webMap: webMap)
    default: return nil
    }
    self.init(
      origin: origin, summary: package.info.summary, portal: address.flatMap { URL(string: $0) })
  }
}
