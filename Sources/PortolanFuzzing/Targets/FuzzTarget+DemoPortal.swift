internal import DemoPortal
internal import Foundation
internal import PortolanTransport

extension FuzzTarget {
  /// A request to the demo portal, answered whole: its form, its route, its parameters.
  static let portalRequest = FuzzTarget(
    "portal-request", cost: 8,
    words: [
      "--AB", "\r\n", "\r\n\r\n", "Content-Disposition: form-data; name=\"", "filename=\"", "%2",
      "%00", "&", "=", "?", "/", "{", "[", "\"", "(", " AND ", " OR ", "NOT ", "type:", "start=-1",
      "num=9999999999999999999", "token=", "bytes=", "é",
    ],
    texts: [
      "/sharing/rest/search?q=type:\"Web Map\" AND (title:a* OR -owner:b)&num=3&start=1\n\n",
      "/sharing/rest/generateToken\nContent-Type: application/x-www-form-urlencoded\n\n"
        + "username=demo&password=demo&client=referer&referer=http&expiration=5",
      "/sharing/rest/oauth2/authorize?client_id=portolan&redirect_uri=http://localhost:1&"
        + "response_type=code&code_challenge=x&code_challenge_method=S256\n\n",
      "/sharing/rest/content/users/demo/addItem?type=CSV\n"
        + "Content-Type: multipart/form-data; boundary=AB\n\n--AB\r\nContent-Disposition: form-data; "
        + "name=\"file\"; filename=\"a.csv\"\r\n\r\n1,2\r\n--AB--\r\n",
      "/demo/faults\nContent-Type: application/json\n\n"
        + "{\"kind\":\"status\",\"status\":404,\"path\":\"*/info\",\"skip\":1,\"count\":3}",
    ]
  ) { data in
    let request = try portalRequest(data)
    // Nothing waits, and every input finds the same portal.
    let clock = DemoClock(now: { Date(timeIntervalSince1970: 1_800_000_000) }, sleep: { _ in })
    let portal = DemoPortal(state: DemoState(clock: clock))
    _ = await portal.answer(request)
  }

  /// A line with the path, lines with headers, an empty line, and the body.
  private static func portalRequest(_ data: Data) throws -> DemoRequest {
    guard let base = URL(string: "http://localhost"),
      let end = data.range(of: Data("\n\n".utf8))
    else { throw DemoFailure.badRequest("The headers have no end.") }
    let lines = String(decoding: data[..<end.lowerBound], as: UTF8.self).split(separator: "\n")
    var headers = HTTPHeaders()
    for line in lines.dropFirst() {
      let halves = line.split(separator: ":", maxSplits: 1)
      if halves.count == 2 { headers.append(String(halves[1]), to: String(halves[0])) }
    }
    return DemoRequest(
      method: .post, base: base, target: String(lines.first ?? "/"), headers: headers,
      body: Data(data[end.upperBound...]))
  }
}
