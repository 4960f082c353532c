import Testing

@testable import PortolanSearch

/// An index in memory of some labels.
struct LabelIndex {
  let index: SearchIndex

  init(_ labels: [String]) throws {
    var builder = SearchIndexBuilder()
    for (number, label) in labels.enumerated() {
      builder.add(label, source: 0, objectID: Int64(number + 1))
    }
    let bytes = try #require(builder.finished(origin: []))
    index = try SearchIndex(IndexBytes(bytes), name: "test")
  }

  /// The labels that match, best first.
  func found(_ text: String, limit: Int = 12) -> [String] {
    (index.matches(of: SearchText(text), limit: limit) ?? []).map { index.label(of: $0.document) }
  }
}

/// The same numbers for each run.
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
