package import Foundation

/// The parts of a request that are meant for its host only.
struct RequestCredentials {
  /// Header fields that hold credentials.
  private static let headers = ["Authorization", "X-Esri-Authorization", "Cookie"]

  /// Header fields that say what is asked for and who asks, in lower case.
  ///
  /// Every host may know them; any other may be a key.
  fileprivate static let plainHeaders: Set<String> = [
    "accept", "accept-encoding", "accept-language", "cache-control", "content-encoding",
    "content-length", "content-type", "dnt", "expect", "from", "if-match", "if-modified-since",
    "if-none-match", "if-range", "if-unmodified-since", "origin", "pragma", "range", "referer",
    "user-agent", "x-requested-with",
  ]

  /// Parameters that hold credentials, in a query or a form, in lower case.
  private static let parameters: Set<String> = [
    "token", "access_token", "refresh_token", "password", "client_secret", "code",
    "code_verifier", "assertion",
  ]

  /// The request they are in.
  private let request: HTTPRequest
  /// The credentials in its query and its body, and those in its headers, which the address of a
  /// redirect may repeat.
  let values: Set<String>

  /// Finds the credentials of `request`.
  init(of request: HTTPRequest) {
    self.request = request
    let query = URLComponents(url: request.url, resolvingAgainstBaseURL: true)?.queryItems ?? []
    let items = (query + (request.form ?? [])).filter(Self.isCredential)
    let fields = ["Authorization", "X-Esri-Authorization"].flatMap { name in
      request.headers.values(of: name).flatMap { $0.split(separator: " ").dropFirst() }
    }
    values = Set(items.compactMap(\.value) + fields.map(String.init)).subtracting([""])
  }

  /// Whether there are any.
  var isEmpty: Bool {
    values.isEmpty && Self.headers.allSatisfy { request.headers[$0] == nil }
  }

  /// A request that follows from this one, without its credentials; `nil` if the body may hold
  /// some and cannot be cleaned.
  func removed(from next: HTTPRequest) -> HTTPRequest? {
    var clean = next
    clean.url = next.url.removingQueryItems { values.contains($0.value ?? "") }
    clean.headers = next.headers.withoutKeys
    guard next.body != nil else { return clean }
    if let form = next.form {
      clean.body = .bytes(Data(form.filter { !Self.isCredential($0) }.text.utf8))
      return clean
    }
    return isEmpty ? clean : nil
  }

  private static func isCredential(_ item: URLQueryItem) -> Bool {
    parameters.contains(item.name.lowercased()) && item.value != nil
  }
}

extension HTTPHeaders {
  /// The fields that every host may know, which say what is asked for and who asks; any other may be a key.
  package var withoutKeys: HTTPHeaders {
    var plain = self
    for field in fields where !RequestCredentials.plainHeaders.contains(field.name.lowercased()) {
      plain[field.name] = nil
    }
    return plain
  }
}

extension HTTPRequest {
  /// The body as the fields of a form, if it is one.
  fileprivate var form: [URLQueryItem]? {
    let type = headers["Content-Type"]?.split(separator: ";").first?.lowercased()
    guard case .bytes(let data) = body, type == "application/x-www-form-urlencoded" else {
      return nil
    }
    return String(decoding: data, as: UTF8.self).split(separator: "&").map { field in
      let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { String($0).replacing("+", with: " ") }
      return URLQueryItem(
        name: parts[0].removingPercentEncoding ?? parts[0],
        value: parts.count > 1 ? parts[1].removingPercentEncoding ?? parts[1] : nil)
    }
  }
}

extension [URLQueryItem] {
  /// The items as the body of a form.
  fileprivate var text: String {
    let plain = CharacterSet(
      charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    func encoded(_ text: String) -> String {
      text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }
    return map { "\(encoded($0.name))=\(encoded($0.value ?? ""))" }.joined(separator: "&")
  }
}

extension URL {
  /// The address without some items of its query.
  package func removingQueryItems(where isUnwanted: (URLQueryItem) -> Bool) -> URL {
    guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true),
      let items = parts.percentEncodedQueryItems, let plain = parts.queryItems,
      items.count == plain.count
    else { return self }
    let kept = zip(items, plain).filter { !isUnwanted($0.1) }.map(\.0)
    guard kept.count < items.count else { return self }
    parts.percentEncodedQueryItems = kept.isEmpty ? nil : kept
    return parts.url ?? self
  }
}

extension HTTPRequest {
  /// The tokens, passwords and codes in the request, which no message may show.
  package var secrets: Set<String> { RequestCredentials(of: self).values }
}

extension String {
  /// The shortest text that is taken for a secret; shorter ones occur in any sentence.
  private static let shortestSecret = 4

  /// The text with dots in place of `secrets`, as they are or as they are escaped in addresses.
  package func hiding(_ secrets: Set<String>) -> String {
    secrets.filter { $0.count >= Self.shortestSecret }.sorted { $0.count > $1.count }
      .reduce(self) { text, secret in
        let escaped = secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? secret
        return text.replacing(secret, with: "•••").replacing(escaped, with: "•••")
      }
  }
}
