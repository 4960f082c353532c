import Testing

@testable import PortolanTileFiles

@Suite struct PackagePathTests {
  @Test(arguments: [
    ("./tile", "root.json", "tile"), ("tile", "p12/root.json", "p12/tile"),
    ("../sprites/sprite", "p12/resources/styles/root.json", "p12/resources/sprites/sprite"),
    ("../../", "p12/resources/styles/root.json", "p12"),
    ("../..", "p12/root.json", nil), ("/etc/passwd", "root.json", nil),
    ("https://example.com/x", "root.json", nil), ("..\\x", "a/b/root.json", nil),
    ("a/../../../b", "p/q.json", nil), ("a//b/./c/", "x.json", "a/b/c"), ("a\0b", "x.json", nil),
  ])
  func `Paths are resolved and never lead out`(
    _ relative: String, _ document: String, _ expected: String?
  ) {
    #expect(PackagePath.resolve(relative, besides: document) == expected)
  }
}
