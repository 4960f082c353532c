internal import Foundation

/// The address of a service, or of a layer in it, as maps write it.
struct ServiceAddress: Hashable {
  /// The service, for example `https://host/arcgis/rest/services/Water/FeatureServer`.
  let service: URL
  /// The number of the layer, if the address names one.
  let layerID: Int?

  /// Reads an address; `nil` if it is none on the web.
  ///
  /// Queries and fragments are left out, since old maps keep tokens there.
  init?(_ text: String) {
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    // Some maps leave the scheme to the page that shows them.
    let whole = trimmed.hasPrefix("//") ? "https:" + trimmed : trimmed
    guard var parts = URLComponents(string: whole),
      ["http", "https"].contains(parts.scheme?.lowercased()), parts.host?.isEmpty == false
    else { return nil }
    parts.query = nil
    parts.fragment = nil
    while parts.percentEncodedPath.hasSuffix("/") { parts.percentEncodedPath.removeLast() }
    guard let url = parts.url else { return nil }
    let last = url.lastPathComponent
    if let id = Int(last), id >= 0, url.deletingLastPathComponent().lastPathComponent.isService {
      service = url.deletingLastPathComponent().withoutTrailingSlash
      layerID = id
    } else {
      service = url
      layerID = nil
    }
  }
}

extension String {
  fileprivate var isService: Bool {
    ["featureserver", "mapserver", "imageserver", "vectortileserver"].contains(lowercased())
  }
}

extension URL {
  fileprivate var withoutTrailingSlash: URL {
    let text = absoluteString
    return text.hasSuffix("/") ? URL(string: String(text.dropLast())) ?? self : self
  }
}
