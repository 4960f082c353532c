internal import Foundation
internal import PortolanTransport

extension FuzzTarget {
  /// An answer whose headers say anything is followed, repeated and taken for a part of a file; no
  /// credential goes to another host.
  static let http = FuzzTarget(
    "http", cost: 20,
    words: [
      "Location: ", "https://b.org/", "//", "..", "Retry-After: ", "Content-Range: bytes ",
      "*/", "ETag: ", "W/\"", "Content-Encoding: gzip", "Date: ", " GMT", "token=abc", "%2F", "@",
    ],
    texts: [
      "302\nLocation: https://b.org/x?token=abc&y=1", "307\nLocation: ../y?password=p%2B#z",
      "503\nRetry-After: Sun, 06 Nov 1994 08:49:37 GMT\nDate: Sun, 06 Nov 1994 08:49:30 GMT",
      "429\nRetry-After: 120", "206\nContent-Range: bytes 3-9/10\nETag: \"1\"",
      "206\nContent-Range: bytes 3-9/10\nETag: \"1\"\nContent-Encoding: gzip",
      "200\nETag: W/\"1\"\nLast-Modified: Sun, 06 Nov 1994 08:49:37 GMT\nContent-Length: 10",
      "416\nContent-Range: bytes */10",
    ]
  ) { data in
    let server = FuzzedServer(data)
    let redirecting = RedirectingTransport(server, limit: 3)
    let transport = RetryingTransport(
      redirecting, policy: RetryPolicy(attempts: 2), clock: ImmediateClock(),
      now: { Date(timeIntervalSince1970: 784_111_777) }, chance: { 0 })
    let url = URL(string: "https://a.org/p/q?token=abc") ?? URL(filePath: "/")
    let request = HTTPRequest(
      url, method: .post,
      headers: [
        "Authorization": "Bearer abc", "Content-Type": "application/x-www-form-urlencoded",
      ], body: .bytes(Data("password=p%2B&f=json".utf8)), repetition: .always)
    // Every answer is the same, so that one that leads elsewhere does so for ever.
    do { _ = try await transport.send(request) } catch TransportError.tooManyRedirects {}
    for request in server.requests where request.url.host() != "a.org" {
      // An address of the server's own making may hold anything that is not just the secret.
      let items = URLComponents(url: request.url, resolvingAgainstBaseURL: true)?.queryItems
      let values = (items ?? []).compactMap(\.value) + [request.bodyText]
      for secret in ["abc", "p+"] {
        try FuzzFinding.check(!values.contains(secret), "sends \(secret) to \(request.address)")
      }
      try FuzzFinding.check(
        request.headers["Authorization"] == nil && !request.bodyText.contains("password"),
        "sends credentials to \(request.address)")
    }
  }
}

extension HTTPRequest {
  fileprivate var bodyText: String {
    guard case .bytes(let data) = body else { return "" }
    return String(decoding: data, as: UTF8.self)
  }
}
