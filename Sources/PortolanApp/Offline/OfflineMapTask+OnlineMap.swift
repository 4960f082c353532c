public import PortolanOffline
public import PortolanPortal
public import PortolanWebMaps

extension OfflineMapTask {
  /// Creates a task from a map that was loaded; `nil` for a map that came from a file, which no portal
  /// has.
  ///
  /// - Parameters:
  ///   - onlineMap: The map.
  ///   - portal: The portal that it came from.
  public init?(onlineMap: OnlineMap, portal: Portal) {
    guard let item = onlineMap.item else { return nil }
    self.init(portalItem: item, portal: portal)
  }
}
