import Foundation
import PortolanFeatures
import PortolanGeometry
import Testing

@testable import PortolanSearch

/// Layers that are searched by asking their stores, without an index.
@Suite struct QueryLocatorTests {
  private func source(
    _ schema: FeatureTableSchema, _ store: any FeatureStore = Town.store,
    fields: [String]? = nil, whereClause: String? = nil
  ) -> LocatorSource {
    LocatorSource(
      id: schema.name, layerID: schema.name, title: schema.name, store: store, schema: schema,
      fields: fields ?? SearchFields.names(in: schema), whereClause: whereClause)
  }

  private func labels(_ text: String, _ sources: [LocatorSource]? = nil) async throws -> [String] {
    try await QueryLocator(sources ?? Town.sources).geocode(text).map(\.label)
  }

  @Test func `What is found, and its order, are those of an index`() async throws {
    let (queried, indexed) = (QueryLocator(Town.sources), try await Town.locator())
    for text in ["12 main", "main 12", "ELM", "mapleham 14", "2nd a"] {
      let expected = try await indexed.geocode(text)
      #expect(!expected.isEmpty)
      let found = try await queried.geocode(text)
      #expect(found == expected, "\(text)")
      let suggested = try await queried.suggest(text).map(\.label)
      #expect(suggested == (try await indexed.suggest(text).map(\.label)), "\(text)")
    }
  }

  @Test func `Words are found in their abbreviations`() async throws {
    #expect(try await labels("elm street", [source(Town.streets)]) == ["Elm St"])
    #expect(try await labels("second avenue", [source(Town.streets)]) == ["2nd Ave"])
  }

  @Test func `An address is found with a flat in front, as in an index`() async throws {
    for text in [
      "apt 4 12 elm st", "unit 4b, 12 Elm Street", "apt4 12 elm st", "flat 2/1, 12 Elm St",
    ] {
      #expect(try await labels(text) == ["12 Elm St, Mapleham"], "\(text)")
    }
    #expect(try await labels("apt 4 99 elm st").isEmpty)
  }

  @Test(arguments: ["weiß", "weiss", "WEISS"])
  func `The letter ß is looked for as databases leave it in capitals, and as SS`(
    _ word: String
  ) throws {
    let clause = try #require(
      LabelCondition.whereClause(for: RowQuestion(words: [word]), in: source(Town.streets)))
    #expect(clause.contains("'%WEIß%'") && clause.contains("'%WEISS%'"), "\(clause)")
  }

  @Test func `Codes are found by their names`() async throws {
    let kinds = source(Town.addresses, fields: ["STREET", "KIND"])
    #expect(try await labels("house elm", [kinds]) == ["Elm St, House"])
    #expect(try await labels("hotel", [kinds]).isEmpty)
  }

  @Test func `Features that a map filters out of a layer are not found`() async throws {
    let odd = source(Town.addresses, whereClause: "HOUSENO = 14 OR HOUSENO = 15")
    #expect(try await labels("main", [odd]) == ["14 Main St, Mapleham"])
  }

  @Test(arguments: ["%", "_", "' OR '1'='1", "%%main%%", "\u{0}", "", "ma_n", "m%n"])
  func `Characters that mean something in SQL are none of a word`(_ text: String) async throws {
    let found = try await labels(text, [source(Town.streets)])
    #expect(found == (text == "%%main%%" ? ["Main St", "Main St"] : []))
  }

  @Test func `A text of ten thousand letters is only one that nothing matches`() async throws {
    #expect(try await labels(String(repeating: "main ", count: 2000)).isEmpty == false)
    #expect(try await labels(String(repeating: "x", count: 10_000)).isEmpty)
  }

  @Test func `A suggestion is looked up in the layer that made it`() async throws {
    let locator = QueryLocator(Town.sources)
    let found = try await locator.geocode("Main St", in: "streets")
    #expect(found.map(\.feature?.objectID) == [1, 2])
    #expect(try await locator.geocode("Main St", in: "gone").isEmpty)
  }

  @Test(arguments: ["Main & 2nd", "2nd ave and main st", "corner of Main and Second"])
  func `Crossings of streets are found, although no row has both names`(
    _ text: String
  ) async throws {
    let found = try await QueryLocator(Town.sources).geocode(text)
    let first = try #require(found.first)
    #expect(first.kind == .intersection)
    #expect(found == (try await Town.locator().geocode(text)))
    let suggested = try await QueryLocator(Town.sources).suggest(text)
    #expect(suggested.first?.label == first.label)
  }

  /// A layer of lines with these names.
  private func streets(_ names: [String]) -> LocatorSource {
    let features = names.enumerated().map {
      Town.street(Int64($0 + 1), $1, [(0, 0), (0.01, 0)])
    }
    return source(
      Town.streets,
      InMemoryFeatureStore([FeatureTableContents(schema: Town.streets, features: features)]))
  }

  @Test func `Names are found whose apostrophe was not typed`() async throws {
    let layer = streets(["Via d'Angelo", "Rue de l'Orme", "O'Hare Rd", "Via dell’Arte"])
    for (text, label) in [
      ("dangelo", "Via d'Angelo"), ("d'angelo", "Via d'Angelo"), ("d angelo", "Via d'Angelo"),
      ("ohare", "O'Hare Rd"), ("o’hare", "O'Hare Rd"), ("o hare", "O'Hare Rd"),
      ("de lorme", "Rue de l'Orme"), ("dellarte", "Via dell’Arte"),
    ] {
      #expect(try await labels(text, [layer]) == [label], "\(text)")
    }
  }

  @Test func `A house is found between the numbers of a lot`() async throws {
    let layer = streets(["104-106 Main St", "204-206 Main St", "105 Elm-Tree St"])
    #expect(try await labels("105 Main", [layer]) == ["104-106 Main St"])
    #expect(try await labels("105 Elm", [layer]) == ["105 Elm-Tree St"])
    #expect(try await labels("107 Main", [layer]).isEmpty)
  }

  @Test func `Features near a place are found in the layers themselves`() async throws {
    let place = Coordinate(x: 0.001, y: 0.0001)
    let found = try await QueryLocator(Town.sources).reverseGeocode(place, within: 50, limit: 2)
    let expected = try await Town.locator().reverseGeocode(place, within: 50, limit: 2)
    #expect(found == expected && found.count == 2)
  }

  @Test func `A layer that fails says so only where no other has found anything`() async throws {
    var gone = Town.streets
    gone.name = "gone"
    let sources = [source(gone), source(Town.addresses)]
    #expect(try await labels("main", sources).count == 2)
    let problems = SearchProblems()
    _ = try await QueryLocator(sources).geocode("main", noting: problems)
    #expect(problems.all.count == 1)
    await #expect(throws: SearchError.self) { try await labels("nowhere", sources) }
  }
}
