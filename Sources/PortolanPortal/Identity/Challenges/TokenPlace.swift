internal import Foundation
internal import PortolanTransport

/// The part of a request that carries its token.
enum TokenPlace: Hashable, Sendable {
  /// In `X-Esri-Authorization`, which survives where `Authorization` is for a web server's own
  /// sign-in (Docs/REST.md, 5).
  case header
  /// In the parameter `token` of the query or the form, for servers and proxies that read nothing
  /// else.
  case parameter
}

extension HTTPRequest {
  private static let tokenHeader = "X-Esri-Authorization"
  private static let tokenParameter = "token"

  /// The token that the request carries, if it does.
  var token: Secret? {
    headers[Self.tokenHeader].flatMap { value in
      value.hasPrefix("Bearer ") ? Secret(String(value.dropFirst(7))) : nil
    } ?? parameterToken
  }

  /// The part of the request that carries a token, if it has one.
  var tokenPlace: TokenPlace? {
    if headers[Self.tokenHeader] != nil { return .header }
    return parameterToken == nil ? nil : .parameter
  }

  /// The request with a token in place of the one it may carry there.
  func carrying(
    _ token: Secret?, referer: String?, in place: TokenPlace = .header
  ) -> HTTPRequest {
    var request = self
    if let referer { request.headers["Referer"] = referer }
    switch place {
    case .header: request.headers[Self.tokenHeader] = token.map { "Bearer \($0.value)" }
    case .parameter:
      request.headers[Self.tokenHeader] = nil
      request.setTokenParameter(token)
    }
    return request
  }

  /// The same request with its token in the other place.
  func carryingToken(in place: TokenPlace) -> HTTPRequest {
    var request = self
    if tokenPlace == .parameter { request.setTokenParameter(nil) }
    return request.carrying(token, referer: nil, in: place)
  }

  private var parameterToken: Secret? {
    let fields = formText ?? url.query(percentEncoded: true) ?? ""
    return fields.split(separator: "&").first { Self.isToken($0) }
      .flatMap { $0.dropFirst(Self.tokenParameter.count + 1).removingPercentEncoding }
      .map(Secret.init)
  }

  private var formText: String? {
    guard case .bytes(let data)? = body,
      headers["Content-Type"]?.hasPrefix("application/x-www-form-urlencoded") == true
    else { return nil }
    return String(decoding: data, as: UTF8.self)
  }

  private mutating func setTokenParameter(_ token: Secret?) {
    let parameters: RESTParameters = [Self.tokenParameter: token?.value]
    guard let formText else {
      let parts = url.removingQueryItems { $0.name.lowercased() == Self.tokenParameter }
      url = HTTPRequest(parts, parameters, method: .get).url
      return
    }
    var fields = formText.split(separator: "&").filter { !Self.isToken($0) }.map(String.init)
    if token != nil { fields.append(parameters.formEncoded) }
    body = .bytes(Data(fields.joined(separator: "&").utf8))
  }

  private static func isToken(_ field: Substring) -> Bool {
    field.lowercased().hasPrefix(tokenParameter + "=")
  }
}
