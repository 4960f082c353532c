internal import Foundation
internal import PortolanTransport

/// A body that is not the JSON that was expected.
public enum UnexpectedBody: Hashable, Sendable {
  /// Nothing.
  case empty
  /// A page for people, with its title: a sign-in page, or a proxy's.
  case html(title: String?)
  /// JSON that breaks off or is damaged, and where.
  case damaged(reason: String)
  /// Another type of content, with its media type if the server names it.
  case other(type: String?)
}

extension UnexpectedBody {
  /// Identifies the body of `response`, given that it is not JSON for `reason`.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - reason: What is wrong with it as JSON.
  ///   - secrets: What the request held and messages must not, should the server quote it.
  init(of response: HTTPResponse, reason: String, hiding secrets: Set<String> = []) {
    let start = String(decoding: response.body.prefix(4096), as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines.union(["\u{FEFF}"]))
    if start.isEmpty {
      self = .empty
    } else if start.hasPrefix("<") {
      self = .html(title: Self.title(in: start)?.hiding(secrets))
    } else if start.hasPrefix("{") || start.hasPrefix("[") {
      self = .damaged(reason: reason.hiding(secrets))
    } else {
      self = .other(type: response.head.contentType)
    }
  }

  private static func title(in page: String) -> String? {
    guard let opening = page.range(of: "<title>", options: .caseInsensitive),
      let closing = page.range(
        of: "</title>", options: .caseInsensitive, range: opening.upperBound..<page.endIndex)
    else { return nil }
    // A word that long is no word: pages quote addresses, and with them tokens.
    let words = page[opening.upperBound..<closing.lowerBound].split { $0.isWhitespace }
      .map { $0.count > 32 ? "…" : $0 }
    let title = words.joined(separator: " ").filter {
      !$0.unicodeScalars.contains(where: \.isControl)
    }
    return title.isEmpty ? nil : String(title.prefix(100))
  }

  /// The body, to be put into a sentence.
  var phrase: String {
    switch self {
    case .empty: "nothing"
    case .html(let title?): "the page \"\(title)\""
    case .html(nil): "a page for people"
    case .damaged(let reason): "damaged JSON: \(reason)"
    case .other(let type?): "something else (\(type))"
    case .other(nil): "something else"
    }
  }

  /// The advice.
  var advice: String {
    switch self {
    case .html:
      "Check the address; the network or the organization may want a sign-in in a browser first."
    case .damaged: "Try again; the connection or a proxy may have cut the answer short."
    case .empty, .other: "Check the address; it may be no ArcGIS service."
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isControl: Bool { properties.generalCategory == .control }
}
