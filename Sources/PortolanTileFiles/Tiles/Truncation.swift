/// A file that has fewer bytes than it says.
enum Truncation {
  /// The warning, in a sentence; `nil` if the file has all its bytes.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - found: How many bytes it has.
  ///   - announced: How many it should have.
  /// - Returns: The sentence.
  static func warning(_ file: String, found: Int, announced: Int) -> String? {
    guard found < announced else { return nil }
    return "\(file) has \(found) of \(announced) bytes, so that tiles are missing. "
      + "Copy or download the file again."
  }
}
