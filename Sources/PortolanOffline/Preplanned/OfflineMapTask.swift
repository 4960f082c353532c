internal import Foundation
internal import PortolanJSON
public import PortolanPortal
internal import PortolanTransport

/// Requests from a portal the areas of a web map that can be taken offline.
///
/// - SeeAlso: Docs/REST.md, 6
public struct OfflineMapTask: Sendable {
  /// The portal that has the map.
  public let portal: Portal
  /// The item of the map.
  public let webMap: PortalItem.ID

  /// Creates a task.
  public init(portal: Portal, webMap: PortalItem.ID) {
    self.portal = portal
    self.webMap = webMap
  }

  /// Creates a task from the item of a map.
  public init(portalItem: PortalItem, portal: Portal) {
    self.init(portal: portal, webMap: portalItem.id)
  }

  /// The areas that the map's owner has prepared, packaged or not, in the portal's order.
  ///
  /// A shape that is in a resource which cannot be read leaves the area with its extent.
  public func preplannedMapAreas() async throws(PortalError) -> [PreplannedMapArea] {
    let items = try await portal.relatedItems(to: webMap, through: .mapToArea)
    var areas: [PreplannedMapArea] = []
    for item in items where item.isOf(.mapArea) {
      var area = PreplannedMapArea(item: item)
      if case .resource(let name) = area.shapeSource {
        do {
          let resource = PortalItemResource(path: name)
          let answer = try await portal.data(of: resource, of: item.id)
          // A shape that is no JSON is as good as none.
          if let json = try? JSONValue(parsing: answer.body) { area.setShape(json) }
        } catch PortalError.cancelled {
          throw .cancelled
        } catch {
          // The extent of the item does as well; that the portal answers is known already.
        }
      }
      areas.append(area)
    }
    return areas
  }

  /// The packages of an area, in the portal's order; kinds that no layer can be made of are left
  /// out.
  ///
  /// Lists of items may come without sizes; those are requested one by one.
  public func packages(of area: PreplannedMapArea) async throws(PortalError) -> [AreaPackage] {
    let items = try await portal.relatedItems(
      to: area.id, through: .areaToPackage)
    var packages = items.compactMap(AreaPackage.init)
    for index in packages.indices where packages[index].byteCount == nil {
      do {
        let item = try await portal.item(packages[index].id)
        packages[index].byteCount = item.plausibleByteCount
      } catch PortalError.cancelled {
        throw .cancelled
      } catch {
        // Whether the package can be had is found out when it is fetched.
      }
    }
    return packages
  }

  /// The default parameters for the download of an area.
  ///
  /// The update mode is as the author of the area has set it up: scheduled updates if it has a schedule for
  /// them, else synchronization if a geodatabase says that it can be synchronized, else none.
  public func makeDefaultDownloadPreplannedOfflineMapParameters(
    preplannedMapArea area: PreplannedMapArea
  ) async throws(PortalError) -> DownloadPreplannedOfflineMapParameters {
    typealias Parameters = DownloadPreplannedOfflineMapParameters
    let mode = Parameters.UpdateMode(of: area, try await packages(of: area))
    return Parameters(
      portal: portal.url, webMap: webMap.text, area: area.id.text, updateMode: mode)
  }
}

extension DownloadPreplannedOfflineMapParameters.UpdateMode {
  /// How an area is kept up to date where nobody chooses, as its author has set it up.
  init(of area: PreplannedMapArea, _ packages: [AreaPackage]) {
    let databases = packages.filter { $0.kind == .geodatabase }
    if databases.isEmpty {
      self = .noUpdates
    } else if area.packageRefreshSchedule != nil {
      self = .downloadScheduledUpdates
    } else if databases.contains(where: \.isSyncable) {
      self = .syncWithFeatureServices
    } else {
      self = .noUpdates
    }
  }
}
