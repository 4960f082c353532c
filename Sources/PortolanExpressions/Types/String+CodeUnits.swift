internal import PortolanJSON

extension String {
  /// Whether both texts have the same code units, as JavaScript and so the style specification compare
  /// them.
  ///
  /// Swift's own comparison takes composed and decomposed letters for the same.
  package func hasSameCodeUnits(as other: String) -> Bool {
    let count = utf8.count
    guard count == other.utf8.count else { return false }
    // A text that is equivalent to ASCII without being it has more bytes. Swift knows texts in
    // ASCII, as most names are, and compares them far faster than bytes are compared one by one.
    if count == utf16.count { return self == other }
    let (bytes, others) = (utf8.span, other.utf8.span)
    for index in bytes.indices where bytes[index] != others[index] { return false }
    return true
  }
}

extension JSONObject {
  /// The value of the last member whose name has exactly these code units.
  func value(named name: String) -> JSONValue? {
    members.last { $0.name.hasSameCodeUnits(as: name) }?.value
  }
}
