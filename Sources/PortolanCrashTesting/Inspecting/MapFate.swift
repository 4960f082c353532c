/// The state of a map after an act.
enum MapFate: Hashable, Sendable, CustomStringConvertible {
  /// It is not there.
  case absent
  /// It is on the list, with that version of its data.
  case stored(version: Int)
  /// It is in the trash.
  case deleted(version: Int)

  var description: String {
    switch self {
    case .absent: "absent"
    case .stored(let version): "stored in version \(version)"
    case .deleted(let version): "deleted in version \(version)"
    }
  }
}
