public import Foundation

/// Writes states as JSON, to be stored or sent to another process, and reads them.
///
/// A state comes back as it was: also coordinates that are not a number, which JSON has no numbers
/// for, and dates to the fraction of a second.
public enum StateCoding {
  private static let words = (positive: "inf", negative: "-inf", none: "nan")

  /// Writes a state.
  public static func data(of state: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: words.positive, negativeInfinity: words.negative, nan: words.none)
    return try encoder.encode(state)
  }

  /// Reads a state that ``data(of:)`` has written.
  ///
  /// - Throws: `DecodingError` if it is of another type, or of another version that differs in it.
  public static func state<State: Decodable>(
    _ type: State.Type = State.self, from data: Data
  ) throws -> State {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: words.positive, negativeInfinity: words.negative, nan: words.none)
    return try decoder.decode(type, from: data)
  }
}
