import PortolanFiles
import Testing

@Suite struct SafePathTests {
  private static let paths: [(String, String?)] = [
    ("a/b.txt", "a/b.txt"), ("a\\b.txt", "a/b.txt"), ("./a//b", "a/b"), ("a/./b", "a/b"),
    ("a:b", nil), ("C:", nil), ("C:\\a", nil), ("c:/a", nil), ("Z:a", nil), ("1:a", "1:a"),
    ("ab:c", "ab:c"), ("a/c:d", "a/c:d"), ("..", nil), ("a/../b", nil), ("a/..b", "a/..b"),
    ("/a", nil), ("\\a", nil), ("", nil), (".", nil), ("a\0b", nil), ("a/", "a"),
  ]

  @Test(arguments: paths) func `A path stays below its folder, or is refused`(
    _ path: String, _ safe: String?
  ) {
    #expect(SafePath(path)?.text == safe)
  }
}
