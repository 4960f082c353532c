public import Foundation
internal import PortolanJSON

/// A folder of the services of a server, as `rest/services` lists them.
public struct ArcGISServerCatalog: Hashable, Sendable {
  /// A service in the list.
  public struct Entry: Hashable, Sendable {
    /// The name, with the folder that it is in.
    public var name: String
    /// The kind, for example `FeatureServer`, which is also the end of its address.
    public var type: String
    /// The address, where the server writes it.
    public var url: URL?

    /// The address of the service below that of `rest/services`.
    public func url(below services: URL) -> URL? {
      url ?? services.appending(untrustedPath: "\(name)/\(type)")
    }
  }

  /// The version of the server, if it is known.
  public var currentVersion: Double?
  /// The folders in this one.
  public var folders: [String]
  /// The services in this folder.
  public var services: [Entry]
}

extension ArcGISServerCatalog {
  /// Reads the list; `nil` if it is something else.
  init?(json: JSONValue) {
    guard let json = json.object, json["services"] != nil || json["folders"] != nil else {
      return nil
    }
    currentVersion = json.number("currentVersion")
    folders = json.texts("folders")
    services = json.objects("services").compactMap { service in
      guard let name = service.filledText("name"), let type = service.filledText("type") else {
        return nil
      }
      return Entry(name: name, type: type, url: service.url("url"))
    }
  }
}
