internal import PortolanApp

extension WorkProgress {
  /// A passing line for people.
  var text: String {
    let count = total.map { "\(completed) of \($0)" } ?? "\(completed)"
    let share = fraction.map { ", \(Int($0 * 100)) %" } ?? ""
    return "\(part): \(count) \(unit.rawValue)\(share)"
  }
}
