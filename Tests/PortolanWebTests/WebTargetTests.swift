import Testing

@testable import PortolanWeb

/// The parts of the address of a request that are read.
@Suite struct WebTargetTests {
  @Test func `A query is read as pages write it, with plus signs for spaces`() throws {
    let target = try #require(
      WebTarget("/api/map/attach?name=two+words+1%2B1+%C3%A9.png&layer=a%26b&empty=&bare"))
    #expect(target.parts == ["api", "map", "attach"])
    #expect(
      target.query == [
        "name": "two words 1+1 \u{E9}.png", "layer": "a&b", "empty": "", "bare": "",
      ])
  }

  @Test func `Of several values the first counts, and a path keeps its plus signs`() throws {
    let target = try #require(WebTarget("/api/legend/a+b/0?x=1&x=2"))
    #expect(target.parts == ["api", "legend", "a+b", "0"] && target.query == ["x": "1"])
  }

  @Test(arguments: ["no-path", "/%FF", "/?name=%FF"])
  func `What is not encoded as addresses are is not read`(_ target: String) {
    #expect(WebTarget(target) == nil)
  }
}
