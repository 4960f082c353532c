import Foundation
import PortolanTransport
import Testing

@Suite struct ShownHostTests {
  @Test(
    arguments: [
      ("https://a.example/b", "a.example", "a.example"),
      ("http://a.example:8080", "a.example", "a.example:8080"),
      ("http://[::1]/b", "[::1]", "[::1]"),
      ("https://[2001:db8::2]:6443/b", "[2001:db8::2]", "[2001:db8::2]:6443"),
      ("file:///b", nil, nil),
    ] as [(String, String?, String?)])
  func `A host is shown as people type it`(
    _ address: String, _ host: String?, _ place: String?
  ) throws {
    let url = try #require(URL(string: address))
    #expect((url.shownHost ?? "") == (host ?? ""))
    #expect((url.shownHostAndPort ?? "") == (place ?? ""))
  }
}
