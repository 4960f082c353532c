package import Foundation
package import PortolanFeatures

/// The tables of a new file while rows are added to them, found by name without case.
package struct TableFills {
  /// The file, for messages.
  package let url: URL
  /// The tables, in the order of their plan.
  package let all: [TableFill]
  private let places: [String: Int]

  package init(_ all: [TableFill], writing url: URL) {
    self.url = url
    self.all = all
    places = Dictionary(
      all.enumerated().map { ($1.layout.name.lowercased(), $0) }, uniquingKeysWith: { $1 })
  }

  /// The table of a name.
  package func fill(_ table: String) throws(GeodatabaseWriterError) -> TableFill {
    guard let place = places[table.lowercased()] else {
      throw .noSuchTable(name: table, available: all.map(\.layout.name))
    }
    return all[place]
  }

  /// Adds rows to a table.
  package func append(
    contentsOf features: some Sequence<Feature>, to table: String
  ) throws(GeodatabaseWriterError) {
    let fill = try fill(table)
    try writing { for feature in features { _ = try fill.append(feature) } }
  }

  /// Runs what writes, with errors that name the file.
  package func writing<T>(_ body: () throws -> T) throws(GeodatabaseWriterError) -> T {
    do { return try body() } catch { throw GeodatabaseWriterError(error, writing: url) }
  }
}
