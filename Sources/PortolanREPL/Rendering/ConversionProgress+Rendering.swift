internal import PortolanConversion
internal import PortolanJSON

extension ConversionProgress {
  /// A passing line for people.
  var text: String {
    let count = total.map { "\(completed) of \($0)" } ?? "\(completed)"
    let share = fraction.map { ", \(Int($0 * 100)) %" } ?? ""
    return "\(part): \(count) \(unit.rawValue)\(share)"
  }

  /// The same for programs.
  var json: JSONValue {
    [
      "part": .string(part), "unit": .string(unit.rawValue),
      "completed": .integer(Int64(completed)),
      "total": total.map { .integer(Int64($0)) } ?? .null,
    ]
  }
}
