public import Foundation
internal import PortolanJSON
public import PortolanPortal

/// A geodatabase or a tile package that an area consists of.
public struct AreaPackage: Hashable, Sendable, Identifiable {
  /// The kind of the file.
  public enum Kind: String, Hashable, Sendable {
    case geodatabase
    case tilePackage = "tpk"
    case compactTilePackage = "tpkx"
    case vectorTilePackage = "vtpk"
  }

  /// The item of the package.
  public var portalItem: PortalItem
  /// The kind of the file.
  public var kind: Kind
  /// The service whose data it holds.
  public var serviceURL: URL?
  /// Its size in bytes, if the portal says so.
  public var byteCount: Int?

  public var id: PortalItem.ID { portalItem.id }

  /// Whether its author has set it up to be synchronized.
  var isSyncable: Bool { portalItem.typeKeywords.contains("Syncable") }

  /// The name of the file in the offline map; made of the id, since the portal's own name is
  /// nothing to trust.
  public var fileName: String { PlannedFile.name(of: portalItem.id, as: kind.file) }

  /// Reads the item of a package; `nil` if it is of a kind that no map layer can be made of.
  init?(item: PortalItem) {
    guard let kind = Kind(item.kind, fileName: item.name) else { return nil }
    portalItem = item
    self.kind = kind
    let keyword = item.typeKeywords.first { $0.hasPrefix("ReferenceURL#") }
    let address =
      item.properties?["url"]?.string ?? keyword.map { String($0.dropFirst("ReferenceURL#".count)) }
    serviceURL = address.flatMap { URL(string: $0) } ?? item.url
    byteCount = item.plausibleByteCount
  }

  /// Whether a layer with that address shows data of this package.
  func holds(_ address: String) -> Bool {
    guard let service = serviceURL?.absoluteString else { return false }
    let (whole, part) = (ServiceName(service).text, ServiceName(address).text)
    return part == whole || part.hasPrefix(whole + "/")
  }
}

extension AreaPackage.Kind {
  /// What its file has to be.
  var file: PlannedFile.Kind {
    switch self {
    case .geodatabase: .geodatabase
    case .tilePackage: .tilePackage
    case .compactTilePackage: .compactTilePackage
    case .vectorTilePackage: .vectorTilePackage
    }
  }

  fileprivate init?(_ kind: PortalItem.Kind, fileName: String?) {
    switch kind.rawValue.lowercased() {
    case "sqlite geodatabase": self = .geodatabase
    case "compact tile package": self = .compactTilePackage
    case "tile package":
      self = fileName?.hasSuffix(".tpkx") == true ? .compactTilePackage : .tilePackage
    case "vector tile package": self = .vectorTilePackage
    default: return nil
    }
  }
}

/// The address of a service as servers compare them: without scheme, case, query and last slash.
struct ServiceName: Hashable {
  let text: String

  init(_ address: String) {
    var text = address.lowercased()
    if let scheme = text.range(of: "://") { text.removeSubrange(..<scheme.upperBound) }
    if text.hasPrefix("//") { text.removeFirst(2) }
    if let query = text.firstIndex(where: { "?#".contains($0) }) { text.removeSubrange(query...) }
    while text.hasSuffix("/") { text.removeLast() }
    self.text = text
  }
}
