/// Edits that no service has received, as a part of a sentence about their map.
enum UnsentEditsText {
  /// Follows the title of the map; nothing where there are none, and `nil` where they cannot be counted.
  static func suffix(_ count: Int?) -> String {
    switch count {
    case 0: ""
    case 1: ", with an edit that was not sent"
    case let count?: ", with \(count) edits that were not sent"
    case nil: ", with edits that cannot be counted"
    }
  }
}
