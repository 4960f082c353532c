import Foundation
import Testing

/// The articles of the documentation catalogues.
@Suite struct ArticleTests {
  private static let root = Sources.root.deletingLastPathComponent()
  private static let examples = [
    "WhatIsHere/Package.swift", "WhatIsHere/Sources/WhatIsHere/WhatIsHere.swift",
    "TakeOffline/Sources/TakeOffline/TakeOffline.swift",
  ]

  @Test(arguments: examples) func `Getting started shows an example as it is built`(
    _ example: String
  ) throws {
    let article = try String(
      contentsOf: Sources.root.appending(path: "PortolanApp/PortolanApp.docc/GettingStarted.md"),
      encoding: .utf8)
    let code = try String(
      contentsOf: Self.root.appending(path: "Docs/Examples/\(example)"), encoding: .utf8)
    #expect(article.contains("```swift\n\(code)```"), "\(example) differs from the article")
  }

  @Test func `Each library that is a product has a documentation catalogue`() throws {
    let package = try String(
      contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8)
    let products = package.matches(of: /\.library\(\s*name: "(Portolan\w+)"/).map { String($0.1) }
    #expect(!products.isEmpty)
    for product in products {
      let page = "\(product)/\(product).docc/\(product).md"
      #expect(
        FileManager.default.fileExists(
          atPath: Sources.root.appending(path: page).path(percentEncoded: false)), "\(page)")
    }
  }
}
