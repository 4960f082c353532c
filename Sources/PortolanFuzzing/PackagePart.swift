internal import Foundation

/// A file of a package, in the form in which it is mutated.
struct PackagePart {
  let path: String
  let content: Data
  /// Turns the content, mutated or not, into the file.
  private let expand: @Sendable (Data) -> Data
  private let file: Data

  init(
    _ path: String, _ content: Data, expand: @escaping @Sendable (Data) -> Data = { $0 }
  ) {
    self.path = path
    self.content = content
    self.expand = expand
    file = expand(content)
  }

  init(_ path: String, _ text: String) { self.init(path, Data(text.utf8)) }

  /// An input for each part: its number in a byte, then its content.
  static func seeds(of parts: [PackagePart]) -> @Sendable () -> [Data] {
    { parts.enumerated().map { Data([UInt8($0)]) + $1.content } }
  }

  /// The package's files, with the content of one replaced.
  static func files(
    of parts: [PackagePart], replacing number: Int, by content: Data
  ) -> [(name: String, data: Data)] {
    parts.enumerated().map { index, part in
      (part.path, index == number % parts.count ? part.expand(content) : part.file)
    }
  }
}
