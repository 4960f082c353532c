extension DemoServices {
  /// The name of the geoprocessing service that makes map areas.
  public static let packaging = "OfflinePackaging"

  /// The address of a service, as items keep it: `{base}` stands for the address of the portal.
  static func itemAddress(_ name: String, _ type: String) -> String {
    "{base}\(Root.portal)/\(name)/\(type)"
  }
}
