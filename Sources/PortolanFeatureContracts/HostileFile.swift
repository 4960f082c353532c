package import Foundation
internal import PortolanFeatures
package import PortolanGeodatabase
internal import PortolanGeometry
internal import Testing

/// Damages files, and requests everything of one that may be damaged; only errors are expected.
package enum HostileFile {
  /// Cuts a file to one of 40 lengths, from 0 on.
  package static func cut(_ url: URL, part: Int) throws {
    let bytes = try Data(contentsOf: url)
    try bytes.prefix(bytes.count * part / 40 + part).write(to: url)
  }

  /// Changes some bytes behind the header of a file, the same ones for a seed.
  package static func changeBytes(of url: URL, seed: Int) throws {
    var bytes = try Data(contentsOf: url)
    var random = SplitMix64(seed: UInt64(seed))
    for _ in 0..<(seed % 3 == 0 ? 400 : 8) {
      let place = Int(random.next() % UInt64(bytes.count - 100)) + 100
      bytes[place] = UInt8(truncatingIfNeeded: random.next())
    }
    try bytes.write(to: url)
  }

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
