internal import PortolanFeatures

/// The tables of a file, held in memory, with what reading it found.
struct SurveyedTables: SurveyedStore, ForwardingFeatureStore {
  let failures: [ConversionResult.Failure]
  let damagedCount: Int
  let notes: [String]
  let unknownReference: UnknownReference?
  /// The tables.
  let base: InMemoryFeatureStore

  /// Holds the rows of a file, of which some may have no shape though they should have one.
  init(_ contents: TableFileContents, name: String) {
    failures = contents.failures
    damagedCount = contents.damagedCount
    notes = contents.notes + [contents.unknownReference?.note].compactMap(\.self)
    unknownReference = contents.unknownReference
    base = InMemoryFeatureStore(contents.tables(), name: name)
  }
}
