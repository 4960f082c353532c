public import Foundation

extension JSONValue {
  /// How deep arrays and objects may be nested.
  public static let maximumDepth = 512

  /// Reads a document in UTF-8, with or without a byte order mark.
  public init(parsing data: Data) throws(JSONError) {
    let tape = try JSONTape(parsing: data)
    self = tape.value(at: tape.root)
  }

  /// Reads a document.
  public init(parsing text: String) throws(JSONError) {
    try self.init(parsing: Data(text.utf8))
  }
}
