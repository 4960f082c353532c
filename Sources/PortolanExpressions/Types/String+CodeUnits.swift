internal import PortolanJSON

extension String {
  /// Whether both texts have the same code units, as JavaScript and so the style specification compare
  /// them.
  ///
  /// Swift's own comparison takes composed and decomposed letters for the same.
  package func hasSameCodeUnits(as other: String) -> Bool {
    utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
  }
}

extension JSONObject {
  /// The value of the last member whose name has exactly these code units.
  func value(named name: String) -> JSONValue? {
    members.last { $0.name.hasSameCodeUnits(as: name) }?.value
  }
}
