public import Foundation
public import PortolanTransport

/// A request as the portal's handlers see it.
public struct DemoRequest: Sendable {
  /// The method; reads accept `GET` and `POST` alike.
  public var method: HTTPRequest.Method

  /// The scheme and authority that the client used, for example `https://localhost:7443`.
  public var base: URL

  /// The segments of the path, decoded, without empty ones.
  public var segments: [String]

  /// The parameters of the query and of the form, those of the query first.
  public var parameters: DemoParameters

  /// The files of a form.
  public var parts: [DemoPart]

  /// The header fields.
  public var headers: HTTPHeaders

  /// The body as it came, also when it was a form.
  public var body: Data

  /// The values of the placeholders in the route, for example `id`.
  public internal(set) var captures: [String: String] = [:]

  /// The viewer that the token identifies.
  public internal(set) var viewer: DemoViewer = .anonymous

  /// The query as it came, without its question mark.
  public var query: String

  /// Creates a request, and reads its form.
  ///
  /// - Parameters:
  ///   - method: What is asked of the resource.
  ///   - base: Scheme and authority.
  ///   - target: The path and the query, still encoded, for example `/sharing/rest?f=json`.
  ///   - headers: The header fields.
  ///   - body: The body, whole.
  public init(
    method: HTTPRequest.Method = .get, base: URL, target: String, headers: HTTPHeaders = [:],
    body: Data = Data()
  ) {
    let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    self.method = method
    self.base = base
    segments = (halves.first ?? "").split(separator: "/").map(FormReader.decodedSegment)
    query = halves.count > 1 ? String(halves[1]) : ""
    self.headers = headers
    self.body = body
    let form = FormReader.form(headers: headers, body: body)
    parameters = DemoParameters(FormReader.pairs(query[...]) + form.pairs)
    parts = form.parts
  }
}

extension DemoRequest {
  /// The path, decoded.
  public var path: String { "/" + segments.joined(separator: "/") }

  /// The part of the route that `name` stands for, or the empty text.
  public func capture(_ name: String) -> String { captures[name] ?? "" }

  /// Whether the body is a JSON document, by its media type.
  var isJSON: Bool { headers["Content-Type"]?.lowercased().hasPrefix("application/json") == true }

  /// The address of `path` on this portal, as text.
  public func address(_ path: String) -> String { base.absoluteString + path }

  /// The token and where it was sent, from the first of the four places that has one.
  public var token: String? {
    parameters["token"] ?? bearer("X-Esri-Authorization") ?? bearer("Authorization")
  }

  private func bearer(_ header: String) -> String? {
    guard let value = headers[header] else { return nil }
    let words = value.split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
    return String(words[1])
  }
}
