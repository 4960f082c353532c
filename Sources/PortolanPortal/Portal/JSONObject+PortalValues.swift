internal import Foundation
internal import PortolanJSON

extension JSONObject {
  /// The moment of a member in milliseconds since 1970; negative and absurd ones are none.
  func date(_ name: String) -> Date? {
    guard let milliseconds = number(name), (0..<1e15).contains(milliseconds) else { return nil }
    return Date(timeIntervalSince1970: milliseconds / 1000)
  }

  /// The id of an item or a group; `nil` if there is none, or a text that cannot be one.
  var itemID: PortalItem.ID? {
    // Lists that contain such a text are refused as a whole, by `refuseInvalidIDs`.
    filledText("id").flatMap { try? PortalItem.ID($0) }
  }

  /// The absolute address of a member, `http` or `https`.
  func url(_ name: String) -> URL? { filledText(name).flatMap { URL(service: $0) } }

  /// The address of a member, which may be written relative to that of a service.
  func url(_ name: String, below service: URL?) -> URL? {
    filledText(name).flatMap { URL(service: $0, below: service) }
  }
}

extension URL {
  /// The address that a server writes, if it is one of the web.
  init?(service text: String) {
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    let absolute = trimmed.hasPrefix("//") ? "https:\(trimmed)" : trimmed
    self.init(string: absolute)
    guard let scheme = scheme?.lowercased(), ["http", "https"].contains(scheme),
      host()?.isEmpty == false
    else { return nil }
  }

  /// The address that a server writes, absolute or relative to that of one of its services.
  init?(service text: String, below service: URL?) {
    if let url = URL(service: text) {
      self = url
      return
    }
    guard let service, var folder = URLComponents(url: service, resolvingAgainstBaseURL: true)
    else {
      return nil
    }
    if !folder.percentEncodedPath.hasSuffix("/") { folder.percentEncodedPath += "/" }
    (folder.query, folder.fragment) = (nil, nil)
    let relative = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !relative.isEmpty, let url = URL(string: relative, relativeTo: folder.url) else {
      return nil
    }
    self.init(service: url.absoluteString)
  }

  /// The address with a path of a server's making below it, if that path stays below.
  ///
  /// Each part is escaped on its own, so that no name ends the path or begins a query.
  func appending(untrustedPath path: String) -> URL? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let isSafe = parts.allSatisfy { part in
      !part.isEmpty && part != "." && part != ".."
        && !part.unicodeScalars.contains { $0.properties.generalCategory == .control || $0 == "\\" }
    }
    guard isSafe, var components = URLComponents(url: self, resolvingAgainstBaseURL: true) else {
      return nil
    }
    let escaped = parts.compactMap {
      $0.addingPercentEncoding(withAllowedCharacters: .pathPart)
    }
    let base = components.percentEncodedPath
    components.percentEncodedPath =
      (base.hasSuffix("/") ? base : base + "/") + escaped.joined(separator: "/")
    return components.url
  }
}

extension CharacterSet {
  fileprivate static let pathPart = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~@!$'()*,")
}
