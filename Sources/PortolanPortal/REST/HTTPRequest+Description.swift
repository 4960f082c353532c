internal import Foundation
internal import PortolanTransport

extension HTTPRequest {
  /// The largest description of a service that is kept, in bytes.
  static let largestDescription = 4 << 20

  /// Under which address the response is kept: of requests for what an item, a service, a layer or a
  /// style is, and not for what is in it; `nil` for others.
  ///
  /// To be asked before credentials are added.
  var descriptionAddress: String? {
    guard method == .get else { return nil }
    let parts = url.path().lowercased().split(separator: "/").map(String.init)
    guard let last = parts.last else { return nil }
    let isDescription =
      if let place = parts.lastIndex(where: Self.isService) {
        Self.describesService(parts[(place + 1)...])
      } else if let place = parts.lastIndex(of: "rest"), parts.contains("sharing") {
        Self.describesItem(parts[(place + 1)...])
      } else {
        last.hasSuffix(".json") || last == "wmtscapabilities.xml"
          || url.query()?.lowercased().contains("request=getcapabilities") == true
      }
    return isDescription ? url.withoutSecrets : nil
  }

  private static func isService(_ part: String) -> Bool {
    ["mapserver", "featureserver", "imageserver", "vectortileserver"].contains(part)
  }

  /// Whether what follows the name of a service asks what it, a layer or its style is.
  private static func describesService(_ rest: ArraySlice<String>) -> Bool {
    guard let first = rest.first else { return true }
    if first == "resources" { return true }
    return rest.count == 1 && (Int(first) != nil || ["layers", "legend", "info"].contains(first))
  }

  /// Whether what follows the root of a portal asks what it or an item is.
  private static func describesItem(_ rest: ArraySlice<String>) -> Bool {
    let rest = Array(rest)
    if rest == ["portals", "self"] || rest == ["info"] { return true }
    guard rest.starts(with: ["content", "items"]), rest.count >= 3 else { return false }
    return rest.count == 3 || ["data", "resources"].contains(rest[3])
  }
}
