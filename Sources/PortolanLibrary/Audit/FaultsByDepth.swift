internal import Foundation
internal import PortolanFiles

/// What audits have found wrong with a version, by the depth of the audits that see it.
///
/// Written as JSON with its version. Version 0, which had no such member, had one text and whether only a
/// deep audit had found it.
struct FaultsByDepth: Codable, Equatable {
  /// What every audit sees, a sentence each.
  var quick: [String] = []
  /// What only a deep audit sees, likewise.
  var deep: [String] = []

  var isEmpty: Bool { quick.isEmpty && deep.isEmpty }

  /// All of it, for people; what both have found is said once.
  var reason: String { (quick + deep.filter { !quick.contains($0) }).joined(separator: " ") }

  /// More than any note has, in bytes.
  private static let largest = 1 << 20

  /// Reads what was noted; `nil` where nothing was, or it cannot be read.
  static func noted(in file: URL, by files: FileSystem) -> FaultsByDepth? {
    // What cannot be read, or was written by another program, says nothing.
    guard let data = try? files.read(file, limit: largest) else { return nil }
    // The same.
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
