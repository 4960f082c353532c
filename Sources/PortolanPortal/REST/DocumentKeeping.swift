public import Foundation
internal import PortolanTransport

/// Keeps what portals and services have said of themselves, for when they cannot be asked.
public protocol DocumentKeeping: Sendable {
  /// Keeps a document in the place of an older one.
  func keep(_ document: KeptDocument, for address: String) async

  /// The document of an address; `nil` if none is kept.
  func document(for address: String) async -> KeptDocument?
}

/// A document of a portal or service as it was at a time.
public struct KeptDocument: Hashable, Sendable, Codable {
  /// What it holds.
  public var body: Data
  /// The type that the server has told.
  public var contentType: String?
  /// When it came.
  public var fetched: Date?

  /// Creates a document.
  public init(body: Data, contentType: String?, fetched: Date? = nil) {
    self.body = body
    self.contentType = contentType
    self.fetched = fetched
  }
}

extension HTTPRequest {
  /// The largest description of a service that is kept, in bytes.
  static let largestDescription = 4 << 20

  /// Under which address the answer is kept: of requests for what an item, a service, a layer or a
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

extension PortalError {
  /// Whether the server could not be asked, so that nobody knows what it would say.
  public var isWithoutAnswer: Bool {
    switch self {
    case .transport(let error):
      switch error {
      case .offline, .unreachable, .unknownHost, .interrupted, .timedOut: true
      default: false
      }
    case .part(_, let cause): cause.isWithoutAnswer
    default: false
    }
  }
}
