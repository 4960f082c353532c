internal import PortolanFeatures

/// The tables of a file, held in memory, with what reading it found.
struct SurveyedTables: SurveyedStore, ForwardingFeatureStore {
  let failures: [ConversionResult.Failure]
  let damagedCount: Int
  let notes: [String]
  /// The tables.
  let base: InMemoryFeatureStore

  /// Holds the rows of a shapefile, of which some may have no shape though they should have one.
  init(_ contents: ShapefileReader.Contents, name: String, notes: [String]) {
    failures = contents.failures
    damagedCount = contents.damagedCount
    self.notes = notes
    base = InMemoryFeatureStore([contents.table], name: name)
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
