internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry

/// The tables of a hosted service at one moment.
struct HostedContent: Sendable {
  var tables: [HostedTable]
  /// Counts the groups of edits; what is new since a generation is what came later.
  var generation: Int64 = 1
  /// The time of the last change.
  var lastEdit: Date

  /// The layers with shapes.
  var layers: [HostedTable] { tables.filter { $0.schema.geometryType != nil } }

  /// The tables without shapes.
  var plainTables: [HostedTable] { tables.filter { $0.schema.geometryType == nil } }

  /// The layer or table of an id.
  func table(_ id: Int) -> HostedTable? { tables.first { $0.id == id } }

  /// The layer or table of an id as it is written in a URL.
  ///
  /// - Throws: The envelope of a service that has none there.
  func table(named id: String) throws(DemoFailure) -> HostedTable {
    guard let table = Int(id).flatMap(table) else {
      throw DemoFailure(code: 400, "Invalid URL", details: ["Invalid URL"])
    }
    return table
  }

  /// The box around everything.
  var extent: Envelope { layers.reduce(.empty) { $0.union($1.extent) } }
}
