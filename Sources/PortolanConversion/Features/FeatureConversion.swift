internal import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase

/// Makes a file of features from another.
///
/// Pages of rows go from the queue of the source to the queue of the target; the next page is
/// read while one is written. No more than two pages are held.
struct FeatureConversion {
  let source: FeatureSource
  let environment: ConversionEnvironment
  let throttle: ProgressThrottle

  /// Writes the tables to a file of a format, which takes the place of what is there only if it may.
  func write(
    to url: URL, as format: ConversionFormat, coordinates: Conversion.Coordinates,
    replacing replaces: Bool = true
  ) async throws -> ConversionResult {
    let planned = try await FeatureTargetPlan(
      source, format, url, coordinates: coordinates, environment)
    let session = WritingSession(url.lastPathComponent, planned.make)
    var result = ConversionResult()
    for failure in source.failures { result.add(failure) }
    result.addUnlisted(source.unlistedFailureCount)
    result.omissions = source.omissions + planned.omissions
    result.notes = planned.notes + source.notes
    do {
      try await session.begin()
      for table in planned.tables {
        try await write(table, as: format, session, &result)
      }
      try Task.checkCancellation()
      result.omissions += try await session.finish(replacing: replaces)
    } catch {
      await session.abandon()
      throw error
    }
    return result
  }

  private func write(
    _ table: TableTransfer, as format: ConversionFormat, _ session: WritingSession,
    _ result: inout ConversionResult
  ) async throws {
    let transfer = RowTransfer(
      source: source, table: table, session: session, holdsAttachments: format.holdsAttachments,
      numbersRows: format == .geodatabase || format == .geoPackage, throttle: throttle)
    let outcome = try await transfer.run()
    for failure in outcome.failures { result.add(failure) }
    result.addUnlisted(outcome.failureCount - outcome.failures.count)
    if outcome.omittedAttachmentCount > 0 {
      result.omissions.append(
        Omission(
          table: table.source.name, .attachments(count: outcome.omittedAttachmentCount)))
    }
    guard !table.isJoin else { return }
    result.tables.append(outcome.table)
  }
}
