internal import PortolanFeatures
package import PortolanGeodatabase
internal import PortolanGeometry
internal import Testing

/// Requests everything of a file that may be damaged; only errors are expected.
package enum HostileFile {
  package static func askEverything(_ reader: borrowing GeodatabaseReader, also names: [String]) {
    var names = names
    // What cannot be listed is asked for by name.
    names += (try? reader.schemas().map(\.name)) ?? []
    for name in names {
      attempt { () throws(FeatureStoreError) in
        _ = try reader.features(in: name, matching: QueryParameters(limit: 1_000))
      }
      attempt { () throws(FeatureStoreError) in
        let extent = Envelope(xMin: -1e7, yMin: -1e7, xMax: 1e7, yMax: 1e7)
        _ = try reader.count(in: name, matching: QueryParameters(extent: extent))
      }
      attempt { () throws(FeatureStoreError) in
        _ = try reader.extent(of: name, matching: .init())
      }
      attempt { () throws(FeatureStoreError) in
        _ = try reader.attachments(of: 1, in: name)
      }
      attempt { () throws(FeatureStoreError) in
        _ = try reader.objectIDs(in: name, touching: Coordinate(x: 0, y: 0), within: 1e8)
      }
    }
  }

  private static func attempt(_ body: () throws(FeatureStoreError) -> Void) {
    do { try body() } catch {
      switch error {
      case .damaged(let file, let place, let reason):
        #expect(file.contains("example.") && !place.isEmpty && !reason.isEmpty)
      case .noSuchTable, .unreadable, .unreadableRow, .unsupported, .noSuchField: break
      case .cancelled, .badWhereClause, .unanswered, .busy: Issue.record("unexpected \(error)")
      }
    }
  }
}
