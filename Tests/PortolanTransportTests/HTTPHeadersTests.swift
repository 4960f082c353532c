import Testing

@testable import PortolanTransport

@Suite struct HTTPHeadersTests {
  @Test func `A header is found whatever the case of its name`() {
    let headers: HTTPHeaders = ["Content-Type": "text/html", "ETag": "\"1\""]
    #expect(headers["content-type"] == "text/html")
    #expect(headers["ETAG"] == "\"1\"")
    #expect(headers["Tag"] == nil)
  }

  @Test func `Setting a header replaces all of that name in the place of the first`() {
    var headers: HTTPHeaders = ["A": "1", "B": "2"]
    headers.append("3", to: "a")
    #expect(headers.values(of: "A") == ["1", "3"])
    headers["a"] = "4"
    #expect(headers.fields.map(\.value) == ["4", "2"])
    headers["A"] = nil
    #expect(headers.fields.map(\.name) == ["B"])
  }

  @Test(
    arguments: [
      ("gzip", true), ("deflate, GZIP;q=0.5", true), ("*", true), ("br;q=1.0, *;q=0.1", true),
      ("", false), ("identity", false), ("gzip;q=0", false), ("gzip;q=0.0, *", false), (nil, false),
    ] as [(String?, Bool)])
  func `Gzip is sent to clients that accept it, unless with a weight of zero`(
    _ codings: String?, _ isTaken: Bool
  ) {
    var headers = HTTPHeaders()
    headers["Accept-Encoding"] = codings
    #expect(headers.acceptsGzip == isTaken)
  }
}
