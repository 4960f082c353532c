internal import Foundation

/// Records as they are kept: JSON with sorted keys and dates as numbers.
enum StorageRecord {
  static func data(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try encoder.encode(value)
  }

  /// The value, or `nil` if a newer Portolan wrote what is not understood.
  static func value<Value: Decodable>(_ type: Value.Type, from data: Data) -> Value? {
    // What cannot be read stays where it is, and is listed as such.
    try? JSONDecoder().decode(type, from: data)
  }
}
