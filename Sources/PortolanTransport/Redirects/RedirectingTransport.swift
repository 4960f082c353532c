internal import Foundation

/// Follows redirects.
///
/// Done here and not in the library below, since credentials must not follow to another host:
/// `Authorization`, `Cookie` and all other headers that may be keys, and tokens and passwords in
/// the query or in a form, stay behind when host, port or scheme change (but for `http` to
/// `https` of the same host). A redirect to another host whose body may hold credentials and is
/// no form is not followed: it is the response.
public struct RedirectingTransport: HTTPTransport {
  private let base: any HTTPTransport
  private let limit: Int

  /// Wraps `base`, following at most `limit` redirects of one request.
  public init(_ base: any HTTPTransport, limit: Int = 10) {
    self.base = base
    self.limit = limit
  }

  public func send(
    _ request: HTTPRequest, into sink: any HTTPBodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    let original = request
    var request = request
    for _ in 0...limit {
      let sent = request
      let selective = SelectiveSink(sink) {
        Redirect.request(after: $0, to: sent, from: original) == nil
      }
      let head = try await base.send(sent, into: selective)
      guard selective.hasPassedBy,
        let next = Redirect.request(after: head, to: sent, from: original)
      else { return head }
      request = next
    }
    throw .tooManyRedirects(request.address)
  }
}
