internal import Foundation
internal import PortolanTransport

extension HTTPRequest {
  /// The longest address that proxies and old servers take.
  private static let longestAddress = 1900

  /// A request for `url` with `parameters`, which replace those of the same name in its query.
  init(_ url: URL, _ parameters: RESTParameters, method: RESTMethod) {
    let base = url.removingParameters(named: parameters.all.map(\.name))
    let form = parameters.formEncoded
    let address = base.appending(query: form)
    switch method {
    case .get: self.init(address, timeouts: .interactive)
    case .automatic where address.absoluteString.utf8.count <= Self.longestAddress:
      self.init(address, timeouts: .interactive)
    case .automatic, .post:
      self.init(
        base, method: .post, headers: ["Content-Type": "application/x-www-form-urlencoded"],
        body: .bytes(Data(form.utf8)), timeouts: .interactive,
        // A question that is too long for an address is as harmless as a short one.
        repetition: method == .automatic ? .always : .ifIdempotent)
    }
  }
}

extension URL {
  fileprivate func appending(query: String) -> URL {
    guard !query.isEmpty, var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else {
      return self
    }
    let existing = parts.percentEncodedQuery ?? ""
    parts.percentEncodedQuery = existing.isEmpty ? query : "\(existing)&\(query)"
    return parts.url ?? self
  }

  fileprivate func removingParameters(named names: [String]) -> URL {
    guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return self }
    let removed = Set(names.map { $0.lowercased() })
    let kept = (parts.percentEncodedQuery ?? "").split(separator: "&").filter { pair in
      let name = pair.prefix { $0 != "=" }
      return !removed.contains((name.removingPercentEncoding ?? String(name)).lowercased())
    }
    parts.percentEncodedQuery = kept.isEmpty ? nil : kept.joined(separator: "&")
    parts.fragment = nil
    return parts.url ?? self
  }
}
