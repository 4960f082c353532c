import Foundation
import Testing

@testable import PortolanFiles

@Suite struct TypedPathTests {
  @Test(arguments: [
    ("~", "/elsewhere"), ("~/maps/a.mmpk", "/elsewhere/maps/a.mmpk"), ("/a/~/b", "/a/~/b"),
  ])
  func `A tilde is the folder that HOME names`(path: String, expected: String) {
    let url = URL(typedPath: path, environment: ["HOME": "/elsewhere"])
    #expect(url.path(percentEncoded: false) == expected)
  }

  @Test(arguments: [[:], ["HOME": ""], ["HOME": "here"]])
  func `Without a usable HOME it is the folder of the account`(environment: [String: String]) {
    let url = URL(typedPath: "~/a", environment: environment)
    #expect(url.path(percentEncoded: false) == NSHomeDirectory() + "/a")
  }
}
