internal import Foundation
internal import PortolanFeatures

extension Date {
  /// The moment in ISO 8601 and UTC, to the nearest millisecond, which is left out where it is none.
  ///
  /// Foundation's own style cuts: a moment that no `Double` holds exactly would be earlier with each copy.
  var momentText: String { CivilDate(self)?.iso8601 ?? ISO8601Format() }
}
