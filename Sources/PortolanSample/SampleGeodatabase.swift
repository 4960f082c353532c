internal import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase

/// Writes the tables of the sample into one geodatabase.
struct SampleGeodatabase {
  let contents: SampleContents
  /// The moment that the file says it was made.
  let moment: Date

  /// Writes the file.
  func write(to url: URL) throws {
    let definition = GeodatabaseDefinition(
      name: "Explore Maine",
      summary: "Towns, lighthouses, parks, lakes, trails and counties of Maine",
      tables: contents.tables.map { table in
        GeodatabaseDefinition.Table(table.schema, drawingInfo: table.drawingInfo)
      })
    var count = 0
    let writer = try GeodatabaseWriter(at: url, definition, now: moment) {
      count += 1
      return SampleID.uuid("item/\(count)")
    }
    for table in contents.tables {
      for row in table.rows {
        try writer.append(row.feature, to: table.schema.name, attachments: row.attachments)
      }
    }
    try writer.finish()
  }
}
