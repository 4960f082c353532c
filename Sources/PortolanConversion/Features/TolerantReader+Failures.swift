internal import PortolanFeatures

extension TolerantReader.Page {
  /// What of a table could not be converted.
  func failures(of table: String) -> [ConversionResult.Failure] {
    var failures = unreadable.map { row in
      ConversionResult.Failure(part: table, item: "row \(row.objectID)", reason: row.reason)
    }
    if let end {
      failures.append(
        ConversionResult.Failure(
          part: table, item: end.lastID.map { "all rows after \($0)" }, reason: end.error.reason))
    }
    return failures
  }
}

extension FeatureStoreError {
  /// Why rows cannot be read, as the end of a sentence.
  fileprivate var reason: String {
    switch self {
    case .damaged(_, _, let reason): reason
    case .unreadableRow(let row): row.reason
    case .unsupported(_, let feature): "it uses \(feature), which is not supported"
    default: "the rows cannot be read"
    }
  }
}
