package import PortolanMap

/// Collects what a picture does not show, the same thing once with its number.
package final class OmissionList {
  /// More entries than this say nothing new to anyone.
  private static let limit = 500

  package private(set) var entries: [PictureOmission] = []
  private var places: [String: Int] = [:]

  package init() {}

  /// Adds an entry; `reason` is a clause or a sentence.
  package func add(_ reason: String, layer: String?, count: Int = 1) {
    guard count > 0 else { return }
    let key = "\(layer ?? "")\n\(reason)"
    if let place = places[key] {
      entries[place].count += count
    } else if entries.count < Self.limit {
      places[key] = entries.count
      entries.append(
        PictureOmission(layer: layer, reason: Self.sentence(reason), count: count))
    }
  }

  /// A clause or a sentence as a sentence.
  package static func sentence(_ reason: String) -> String {
    let sentence = reason.prefix(1).uppercased() + reason.dropFirst()
    return sentence.hasSuffix(".") ? sentence : sentence + "."
  }
}
