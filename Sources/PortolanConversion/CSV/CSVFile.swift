internal import PortolanFeatures

/// A file of comma-separated values, held in memory, that knows which of its rows have no shape though
/// their cells should be one.
struct CSVFile: SurveyedStore, ForwardingFeatureStore {
  let failures: [ConversionResult.Failure]
  let damagedCount: Int
  let notes: [String]
  /// The tables.
  let base: InMemoryFeatureStore

  init(_ contents: CSVContents, name: String) {
    failures = contents.failures
    damagedCount = contents.damagedCount
    notes = contents.notes
    base = InMemoryFeatureStore(contents.tables(), name: name)
  }
}
