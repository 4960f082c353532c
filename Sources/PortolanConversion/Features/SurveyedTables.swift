internal import PortolanFeatures

/// The tables of a file, held in memory, with what reading it found.
struct SurveyedTables: SurveyedStore, ForwardingFeatureStore {
  let failures: [ConversionResult.Failure]
  let damagedCount: Int
  let notes: [String]
  /// The tables.
  let base: InMemoryFeatureStore

  /// Holds the tables of a file that can be read whole.
  init(_ tables: [FeatureTableContents], name: String, notes: [String]) {
    failures = []
    damagedCount = 0
    self.notes = notes
    base = InMemoryFeatureStore(tables, name: name)
  }

  /// Holds the rows of a file of comma-separated values, of which some may have no shape though their cells
  /// should be one.
  init(_ contents: CSVContents, name: String) {
    failures = contents.failures
    damagedCount = contents.damagedCount
    notes = contents.notes
    base = InMemoryFeatureStore(contents.tables(), name: name)
  }
}
