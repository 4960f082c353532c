import Foundation
import PortolanJSON
import PortolanTestSupport
import Testing

@testable import PortolanSearch

/// Five hundred queries, of which the right answer is to be first in 95 of 100.
@Suite struct SearchQualityTests {
  private func wrong(_ queries: [TypedQuery], in labels: [String]) throws -> [TypedQuery] {
    let index = try LabelIndex(labels)
    return queries.filter { index.found($0.text, limit: 1).first != $0.answer }
  }

  private func expectQuality(_ queries: [TypedQuery], in labels: [String]) throws {
    let wrong = try wrong(queries, in: labels)
    #expect(wrong.count * 20 <= queries.count, "\(wrong.map(\.description))")
    for kind in TypedQuery.Kind.allCases {
      let count = queries.count { $0.kind == kind }
      let missed = wrong.count { $0.kind == kind }
      #expect(missed * 10 <= count, "\(kind): \(missed) of \(count)")
    }
  }

  @Test func `The right answer is first for 350 queries over the made-up town`() throws {
    let town = MadeUpTown()
    let queries = TypedQuery.make(350, from: town.labels, seed: 17)
    #expect(queries.count == 350)
    try expectQuality(queries, in: town.labels)
  }

  /// The names of places in Maine that the sample has.
  private static func sampleNames() throws -> [String] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/PortolanSample/Data").standardizedFileURL
    var names: Set<String> = []
    for file in ["lighthouses", "parks", "towns", "trails", "lakes", "rivers", "counties"] {
      let data = try Data(contentsOf: folder.appending(path: "\(file).geojson"))
      for feature in try JSONValue(parsing: data).object?["features"]?.array ?? [] {
        let properties = feature.object?["properties"]?.object
        let name = properties?["NAME"]?.string ?? properties?["name"]?.string
        if let name, !name.isEmpty { names.insert(name) }
      }
    }
    return names.sorted()
  }

  @Test func `The right answer is first for 150 queries over the names of the sample`() throws {
    let names = try Self.sampleNames()
    try #require(names.count > 80)
    let queries = TypedQuery.make(150, from: names, seed: 23)
    #expect(queries.count == 150)
    try expectQuality(queries, in: names)
  }
}
