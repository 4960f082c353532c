package import Foundation

extension Data {
  /// How many bytes there are, as people read it of values whose content is not shown.
  package var sizeText: String { count == 1 ? "1 byte" : "\(count) bytes" }
}
