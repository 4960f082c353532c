internal import Foundation
internal import PortolanFiles

/// The faults that audits have found in a version, by the depth of the audits that detect them.
///
/// Stored as versioned JSON. Version 0, which had no such member, held one text and whether only a
/// deep audit had found it.
struct FaultsByDepth: Codable, Equatable {
  /// The faults that every audit detects, a sentence each.
  var quick: [String] = []
  /// The faults that only a deep audit detects, a sentence each.
  var deep: [String] = []

  var isEmpty: Bool { quick.isEmpty && deep.isEmpty }

  /// All faults, for people; those found by both audits only once.
  var reason: String { (quick + deep.filter { !quick.contains($0) }).joined(separator: " ") }

  /// The largest size of a record, in bytes; real ones are smaller.
  private static let largest = 1 << 20

  /// Reads the recorded faults; `nil` if there are none, or they cannot be read.
  static func noted(in file: URL, by files: FileSystem) -> FaultsByDepth? {
    // An unreadable record, or one of another program, counts as none.
    guard let data = try? files.read(file, limit: largest) else { return nil }
    // As above.
    return try? JSONDecoder().decode(Self.self, from: data)
  }
}

extension FaultsByDepth {
  private enum Key: String, CodingKey {
    case version, quick, deep, reason, isFoundByReading
  }

  private static let version = 1

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    let version = try values.decodeIfPresent(Int.self, forKey: .version) ?? 0
    switch version {
    case 0:
      let faults = [try values.decode(String.self, forKey: .reason)]
      let isDeep = try values.decode(Bool.self, forKey: .isFoundByReading)
      self.init(quick: isDeep ? [] : faults, deep: isDeep ? faults : [])
    case Self.version:
      self.init(
        quick: try values.decode([String].self, forKey: .quick),
        deep: try values.decode([String].self, forKey: .deep))
    default:
      throw DecodingError.dataCorruptedError(
        forKey: .version, in: values, debugDescription: "A newer version, \(version).")
    }
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(Self.version, forKey: .version)
    try values.encode(quick, forKey: .quick)
    try values.encode(deep, forKey: .deep)
  }
}
