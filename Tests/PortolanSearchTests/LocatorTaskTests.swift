import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanTestSupport
import Testing

@testable import PortolanSearch

/// A town of two layers: addresses and streets.
struct Town {
  static let addresses = FeatureTableSchema(
    name: "addresses", geometryType: .point, spatialReference: .wgs84,
    fields: [
      Field("OBJECTID", .objectID), Field("HOUSENO", .integer), Field("STREET", .string),
      Field("CITY", .string), Field("KIND", .smallInteger, domain: kinds),
    ])

  static let streets = FeatureTableSchema(
    name: "streets", geometryType: .polyline, spatialReference: .wgs84,
    fields: [Field("OBJECTID", .objectID), Field("NAME", .string)], displayField: "NAME")

  private static let kinds = Domain.codedValue(
    CodedValueDomain(
      name: "kinds", codedValues: [CodedValue(code: .integer(1), name: "House")]))

  static let store = InMemoryFeatureStore([
    FeatureTableContents(
      schema: addresses,
      features: [
        address(1, 12, "Main St", 0.001, 0), address(2, 14, "Main St", 0.002, 0),
        address(3, 12, "Elm St", 0.001, 0.01),
      ]),
    FeatureTableContents(
      schema: streets,
      features: [
        street(1, "Main St", [(0, 0), (0.01, 0)]), street(2, "Main St", [(0.01, 0), (0.02, 0)]),
        street(3, "2nd Ave", [(0.015, -0.01), (0.015, 0.01)]),
        street(4, "Elm St", [(0, 0.5), (0.01, 0.5)]),
      ]),
  ])

  private static func address(
    _ id: Int64, _ number: Int64, _ street: String, _ x: Double, _ y: Double
  ) -> Feature {
    Feature(
      objectID: id,
      attributes: Attributes(
        FieldList(addresses.fields),
        [.integer(id), .integer(number), .text(street), .text("Mapleham"), .integer(1)]),
      geometry: .point(Point(x: x, y: y)))
  }

  static func street(
    _ id: Int64, _ name: String, _ path: [(Double, Double)]
  ) -> Feature {
    let line = Polyline(paths: [Path(path.map { Coordinate(x: $0.0, y: $0.1) })])
    return Feature(
      objectID: id,
      attributes: Attributes(FieldList(streets.fields), [.integer(id), .text(name)]),
      geometry: .polyline(line))
  }

  static let sources = [addresses, streets].map { schema in
    LocatorSource(
      id: schema.name, layerID: schema.name, title: schema.name.capitalized, store: store,
      schema: schema, fields: SearchFields.names(in: schema))
  }

  /// A layer whose table is not there.
  static let unreadable: LocatorSource = {
    var schema = streets
    schema.name = "gone"
    return LocatorSource(
      id: "gone", layerID: "gone", title: "Gone", store: store, schema: schema, fields: ["NAME"])
  }()

  static func locator() async throws -> LocatorTask {
    try await LocatorTask(indexing: sources, map: "Town")
  }
}

@Suite struct LocatorTaskTests {
  @Test func `Numbers come before streets, and cities behind a comma`() async throws {
    let found = try await Town.locator().geocode("12 main")
    let first = try #require(found.first)
    #expect(first.label == "12 Main St, Mapleham")
    #expect(first.feature?.objectID == 1 && first.sourceTitle == "Addresses")
    #expect(first.location == Coordinate(x: 0.001, y: 0))
  }

  @Test func `Suggestions list each label once and say which mean several features`()
    async throws
  {
    let found = try await Town.locator().suggest("main")
    #expect(
      found.map { "\($0.label) \($0.isCollection)" } == [
        "Main St true", "12 Main St, Mapleham false", "14 Main St, Mapleham false",
      ])
    let street = try #require(found.first)
    let places = try await Town.locator().geocode(street)
    #expect(places.compactMap(\.feature?.objectID) == [1, 2])
    #expect(places.first?.location == Coordinate(x: 0.005, y: 0))
  }

  @Test(arguments: [
    "fish and game rd and main st", "main st and fish and game rd", "Fish and Game & Main",
  ])
  func `A crossing is found of a street whose name has the word between two names`(
    _ text: String
  ) async throws {
    let source = try streets([
      ("Fish and Game Rd", [(0, -0.01), (0, 0.01)]), ("Main St", [(-0.01, 0), (0.01, 0)]),
    ])
    let locator = try await LocatorTask(indexing: [source], map: "Town")
    #expect(try await locator.geocode(text).first?.kind == .intersection)
    let queried = try await QueryLocator([source]).geocode(text)
    #expect(queried.first?.kind == .intersection)
  }

  @Test(arguments: [
    "king and queen ln & main st", "main & king and queen", "king & queen and main",
  ])
  func `A crossing is found of a street whose name has a sign for the word that was typed`(
    _ text: String
  ) async throws {
    let source = try streets([
      ("King & Queen Ln", [(0, -0.01), (0, 0.01)]), ("Main St", [(-0.01, 0), (0.01, 0)]),
    ])
    let locator = try await LocatorTask(indexing: [source], map: "Town")
    #expect(try await locator.geocode(text).first?.kind == .intersection)
    let queried = try await QueryLocator([source]).geocode(text)
    #expect(queried.first?.kind == .intersection)
  }

  @Test func `Any number of letters and digits in turn is found in a label that has them`()
    async throws
  {
    let locator = try await LocatorTask.ofLabels(["A 1 Street", "B 2 Street"])
    let text = String(repeating: "a1", count: 500)
    #expect(try await locator.suggest(text).map(\.label) == ["A 1 Street"])
  }

  @Test func `A suggestion stands for its own label, however many others mean the same`()
    async throws
  {
    let names = Array(repeating: "Main St", count: 70) + ["Main Street"]
    let source = try streets(names.map { (name: $0, path: [(0, 0), (0.01, 0)]) })
    let locator = try await LocatorTask(indexing: [source], map: "Town")
    let suggestions = try await locator.suggest("main")
    #expect(suggestions.map(\.label) == ["Main St", "Main Street"])
    let last = try #require(suggestions.last)
    #expect(try await locator.geocode(last).compactMap(\.feature?.objectID) == [71])
  }

  @Test(arguments: ["smith and sons", "Smith & Sons", "smith & sons pl", "Smith und Sons Place"])
  func `A word for a sign between two names is found where there is no crossing of them`(
    _ text: String
  ) async throws {
    let source = try streets([
      ("Smith & Sons Place", [(0, 0), (0.01, 0)]), ("Elm St", [(0, 0.5), (0.01, 0.5)]),
    ])
    let locator = try await LocatorTask(indexing: [source], map: "Town")
    #expect(try await locator.suggest(text).map(\.label) == ["Smith & Sons Place"])
    #expect(try await locator.geocode(text).map(\.label) == ["Smith & Sons Place"])
    #expect(try await locator.geocode("smith and elm") == [])
  }

  @Test func `A search may be limited to one locator of the composite`() async throws {
    let found = try await Town.locator().suggest("main", in: ["streets"])
    #expect(found.map(\.label) == ["Main St"])
  }

  @Test(arguments: [
    "Main & 2nd", "2nd ave and main st", "main @ second", "Main St / 2nd Ave",
    "the corner of 2nd Ave and Main St",
  ])
  func `Crossings of streets are found`(_ text: String) async throws {
    let found = try await Town.locator().geocode(text)
    let first = try #require(found.first)
    #expect(first.kind == .intersection)
    let place = try #require(first.location)
    #expect(abs(place.x - 0.015) < 1e-9 && abs(place.y) < 1e-9)
    #expect(try await Town.locator().suggest(text).first?.label == first.label)
  }

  @Test(arguments: [
    ("угол Ленина и Мира", 0), ("Ленина и Мира", 0), ("中山路与人民路", 1), ("中山路与人民路交叉口", 1),
    ("Hauptstr. Ecke Bahnhofstr.", 2), ("Calle Mayor esquina Luna", 3), ("الملك فهد و العليا", 4),
    ("corner main and elm", 5), ("main & elm intersection", 5),
  ])
  func `Crossings are found in the words of each language`(
    _ text: String, _ index: Int
  ) async throws {
    let pairs = [
      ("улица Ленина", "проспект Мира"), ("中山路", "人民路"), ("Hauptstraße", "Bahnhofstraße"),
      ("Calle Mayor", "Calle Luna"), ("شارع الملك فهد", "شارع العليا"), ("Main St", "Elm St"),
    ]
    let lines = pairs.enumerated().flatMap {
      number, pair -> [(name: String, path: [(Double, Double)])] in
      let x = Double(number) * 0.1
      return [
        (name: pair.0, path: [(x, 0.0), (x + 0.01, 0.0)]),
        (name: pair.1, path: [(x + 0.005, -0.01), (x + 0.005, 0.01)]),
      ]
    }
    let locator = try await LocatorTask(indexing: [try streets(lines)], map: "Town")
    let first = try #require(try await locator.geocode(text).first)
    #expect(first.kind == .intersection)
    #expect(first.label.contains(pairs[index].0) && first.label.contains(pairs[index].1))
  }

  /// Streets beside the equator; a metre is about 0.000009 degrees.
  private func streets(
    _ lines: [(name: String, path: [(Double, Double)])], in reference: SpatialReference = .wgs84
  ) throws -> LocatorSource {
    var schema = Town.streets
    schema.name = "streets \(lines.map(\.name))"
    schema.spatialReference = reference
    let projection = try Projection(from: .wgs84, to: reference)
    let features = try lines.enumerated().map { number, line in
      let street = Town.street(Int64(number + 1), line.name, line.path)
      return Feature(
        objectID: street.objectID, attributes: street.attributes,
        geometry: try street.geometry.map { try projection.project($0) })
    }
    return LocatorSource(
      id: schema.name, layerID: schema.name, title: lines[0].name,
      store: InMemoryFeatureStore([FeatureTableContents(schema: schema, features: features)]),
      schema: schema, fields: ["NAME"])
  }

  @Test(arguments: [SpatialReference.wgs84, .webMercator])
  func `A street that ends at another meets it, also with a small gap`(
    _ reference: SpatialReference
  ) async throws {
    let source = try streets(
      [
        ("Main St", [(0, 0), (0.01, 0)]), ("Stub Ln", [(0.004, 0.000_01), (0.004, 0.005)]),
        ("Near Rd", [(0.006, 0.000_04), (0.006, 0.005)]),
      ], in: reference)
    let locator = try await LocatorTask(indexing: [source], map: "Town")
    for text in ["main & stub", "stub & main"] {
      let found = try #require(try await locator.geocode(text).first, "\(text)")
      #expect(found.kind == .intersection)
      let place = try #require(found.location)
      #expect(abs(place.x - 0.004) < 1e-6 && abs(place.y) < 1e-6, "\(place)")
    }
    #expect(try await locator.geocode("main & near") == [], "five metres are a gap")
  }

  @Test func `Streets of the same names have a crossing in each town, and pieces of them one`()
    async throws
  {
    let source = try streets([
      ("Main St", [(0, 0), (0.005, 0)]), ("Main St", [(0.005, 0), (0.01, 0)]),
      ("2nd Ave", [(0.005, -0.01), (0.005, 0.01)]), ("2nd Ave", [(0.0052, -0.01), (0.0052, 0.01)]),
      ("Main St", [(1, 0), (1.01, 0)]), ("2nd Ave", [(1.005, -0.01), (1.005, 0.01)]),
      ("Loop Rd", [(0.001, 0.001), (0.001, -0.001), (0.009, -0.001), (0.009, 0.001)]),
      ("Bow Rd", [(0.006, 0.001), (0.006, -0.001), (0.0095, -0.001), (0.0095, 0.001)]),
    ])
    let locator = try await LocatorTask(indexing: [source], map: "Town")
    for (text, label, places) in [
      ("main & 2nd", "Main St & 2nd Ave", [0.005, 1.005]),
      ("loop & main", "Loop Rd & Main St", [0.001, 0.009]),
      ("bow & main", "Bow Rd & Main St", [0.006, 0.0095]),
    ] {
      let found = try await locator.geocode(text)
      #expect(found.map(\.label) == [label, label], "\(text)")
      let longitudes = found.compactMap(\.location?.x).sorted()
      // Of two roadways the crossing of either is meant.
      #expect(zip(longitudes, places).allSatisfy { abs($0 - $1) < 0.000_21 }, "\(longitudes)")
      let suggestions = try await locator.suggest(text)
      #expect(suggestions.map(\.label) == [label] && suggestions.allSatisfy(\.isCollection))
      let first = try #require(suggestions.first)
      #expect(try await locator.geocode(first).count == 2)
    }
  }

  @Test func `A gap is measured over the ground, far from the equator too`() async throws {
    let source = try streets([
      ("Main St", [(20, 70), (20, 70.01)]),
      ("Stub Ln", [(20.000_04, 70.005), (20.01, 70.005)]),
      ("Near Rd", [(20.000_08, 70.007), (20.01, 70.007)]),
    ])
    let locator = try await LocatorTask(indexing: [source], map: "Town")
    #expect(try await locator.geocode("main & stub").count == 1, "a metre and a half")
    #expect(try await locator.geocode("main & near") == [], "three metres")
  }

  @Test func `Streets of two layers cross, in two spatial references`() async throws {
    let sources = [
      try streets([("Main St", [(0, 0), (0.01, 0)])]),
      try streets([("2nd Ave", [(0.005, -0.01), (0.005, 0.01)])], in: .webMercator),
    ]
    let locator = try await LocatorTask(indexing: sources, map: "Town")
    for text in ["main & 2nd", "2nd & main"] {
      let place = try #require(try await locator.geocode(text).first?.location, "\(text)")
      #expect(abs(place.x - 0.005) < 1e-6 && abs(place.y) < 1e-6, "\(place)")
    }
    let one = try await locator.geocode("main & 2nd", in: [sources[0].id])
    #expect(!one.contains { $0.kind == .intersection })
  }

  @Test(arguments: [SpatialReference.wgs84, .webMercator])
  func `Nearby features are found across the antimeridian too`(
    _ reference: SpatialReference
  ) async throws {
    let source = try streets(
      [
        ("East Rd", [(179.9999, 0), (179.99, 0)]), ("West Rd", [(-179.9998, 0), (-179.99, 0)]),
        ("Far Rd", [(0, 0), (1, 0)]),
      ], in: reference)
    let locator = try await LocatorTask(indexing: [source], map: "Town")
    for x in [179.9999, -179.9999, 180, -180] {
      let found = try await locator.reverseGeocode(Coordinate(x: x, y: 0), within: 60, limit: 9)
      #expect(Set(found.map(\.label)) == ["East Rd", "West Rd"], "\(x)")
    }
    let away = try await locator.reverseGeocode(Coordinate(x: 179.9999, y: 0), within: 20, limit: 9)
    #expect(away.map(\.label) == ["East Rd"])
  }

  @Test func `Streets that do not meet have no crossing`() async throws {
    #expect(try await Town.locator().geocode("Elm & 2nd") == [])
  }

  @Test func `Towns and states that labels do not have are left out, at a lower score`()
    async throws
  {
    let locator = try await Town.locator()
    for text in [
      "Elm St, Mapleham, ME 04401", "Elm St, Mapleton", "Elm St Mapleton",
      "12 Elm Street Mapleham ME 04401", "12 Elm St apt 4", "12 elm st mapleham #3",
    ] {
      let first = try #require(try await locator.geocode(text).first, "\(text)")
      #expect(first.label.contains("Elm St") && first.score <= 75, "\(text): \(first)")
    }
    let named = try await locator.geocode("City Hall, 12 Elm Street")
    #expect(named.first?.label == "12 Elm St, Mapleham")
  }

  @Test(arguments: [
    "apt 4 12 elm st", "Unit 4b, 12 Elm Street, Mapleham", "flat b 12 elm st mapleham",
  ])
  func `A flat in front of an address is left out, at a lower score`(_ text: String) async throws {
    let first = try #require(try await Town.locator().geocode(text).first)
    #expect(first.label == "12 Elm St, Mapleham" && first.score <= 75, "\(first)")
  }

  @Test(arguments: ["99 Elm St", "apt 4 99 elm st", "Elm St 99", "zzz", "Elm zzz", "Elm & zzz"])
  func `Another house or another name is not taken for what was typed`(
    _ text: String
  ) async throws {
    #expect(try await Town.locator().geocode(text) == [])
  }

  @Test func `Words are found however they are spaced`() async throws {
    let index = try await LocatorTask.ofLabels([
      "M-00042", "H-00042", "O'Hare Airport", "Oakwood Lane", "Hauptstraße 12", "U.S. Post Office",
      "A.B.C. Corp", "rock'n'roll café", "O Connor Place", "Mc Donald Lane", "Connor Alley",
    ])
    for (text, label) in [
      ("M00042", "M-00042"), ("Haupt Str 12", "Hauptstraße 12"), ("o hare", "O'Hare Airport"),
      ("oak wood lane", "Oakwood Lane"),
      ("Hauptstr. 12", "Hauptstraße 12"), ("us post office", "U.S. Post Office"),
      ("o'connor", "O Connor Place"), ("mcdonald", "Mc Donald Lane"), ("abc", "A.B.C. Corp"),
      ("rock n roll café", "rock'n'roll café"),
    ] {
      #expect(try await index.suggest(text).first?.label == label, "\(text)")
    }
  }

  @Test func `The blank of a postal code need not be typed`() async throws {
    let labels = ["10 Downing St, London SW1A 2AA", "Hill, Ottawa K1A 0A9", "Damrak 1, 1012 LG"]
    let index = try await LocatorTask.ofLabels(labels)
    for (text, place) in [
      ("sw1a2aa", 0), ("Downing SW1A2AA", 0), ("k1a0a9", 1), ("1012lg", 2), ("damrak 1012LG", 2),
    ] {
      #expect(try await index.suggest(text).first?.label == labels[place], "\(text)")
    }
    #expect(try await index.suggest("sw1a3aa").isEmpty)
  }

  @Test func `Fractions are found whether they are one character or not`() async throws {
    let labels = ["12½ Main Street", "14 1/2 Main Street", "12 Oak Street"]
    let index = try await LocatorTask.ofLabels(labels)
    for (text, place) in [
      ("12½ main", 0), ("12 ½ Main St", 0), ("12 1/2 main st", 0), ("12-1/2 Main", 0),
      ("14½ Main", 1), ("14 1/2 main", 1), ("12 main", 0), ("12 oak", 2),
    ] {
      #expect(try await index.suggest(text).first?.label == labels[place], "\(text)")
    }
  }

  @Test func `The zeros of a number need not be typed`() async throws {
    let index = try await LocatorTask.ofLabels(["H-00012", "H-01200", "V00012", "проспект Мира"])
    for (text, labels) in [
      ("h12", ["H-00012"]), ("h-12", ["H-00012"]), ("H 1200", ["H-01200"]), ("v12", ["V00012"]),
      ("h13", []), ("пр-т мира", ["проспект Мира"]),
    ] {
      #expect(try await index.suggest(text).map(\.label) == labels, "\(text)")
    }
  }

  @Test func `Separate numbers are not taken for one number`() async throws {
    let houses = ["1214 Oak Street", "14 Oak Street", "12 Oak Street"]
    let locator = try await LocatorTask.ofLabels(houses + ["M-00001", "123 Abbot Street"])
    for text in ["12-14 oak st", "12 - 14 Oak Street"] {
      let found = try await locator.geocode(text).map(\.label)
      #expect(found == ["12 Oak Street", "14 Oak Street"], "\(text)")
      #expect(try await locator.suggest(text).map(\.label) == found, "\(text)")
    }
    for text in ["0 0", "1 2"] {
      #expect(try await locator.geocode(text) == [], "\(text)")
    }
    let lots = try await LocatorTask.ofLabels(houses + ["12-14 Oak Street"])
    #expect(try await lots.geocode("12-14 oak st").map(\.label) == ["12-14 Oak Street"])
  }

  @Test(arguments: ["10-16 oak st", "12-14 oak st, Mapleham", "10-16 Oak Street, Mapleham"])
  func `The houses of a lot are found by its numbers, with or without a town`(
    _ text: String
  ) async throws {
    let locator = try await LocatorTask.ofLabels([
      "12 Oak Street", "13 Oak Street", "14 Oak Street", "12 Elm Street",
    ])
    let found = try await locator.geocode(text).map(\.label)
    #expect(found == ["12 Oak Street", "14 Oak Street"])
  }

  @Test func `Houses with letters and in ranges are found`() async throws {
    let locator = try await LocatorTask.ofLabels([
      "104A Main St", "106 Main St", "110 Oak St", "112-116 Oak St", "12 Hauptstraße",
    ])
    for (text, label) in [
      ("104a Main", "104A Main St"), ("104 A Main St", "104A Main St"),
      ("106b Main", "106 Main St"),
      ("110-112 Oak", "110 Oak St"), ("112-116 oak", "112-116 Oak St"), ("118 oak", nil),
      ("116 oak", "112-116 Oak St"), ("108-110 Oak St", "110 Oak St"),
      ("Hauptstraße 12b", "12 Hauptstraße"), ("104 main st", "104A Main St"),
      ("Main 104", "104A Main St"), ("No. 106 Main", "106 Main St"), ("nº 106 main", "106 Main St"),
      ("104 Main St, Mapleham", "104A Main St"), ("10 main", nil),
    ] {
      #expect(try await locator.suggest(text).first?.label == label, "\(text)")
      #expect(try await locator.geocode(text).first?.label == label, "\(text)")
    }
  }

  @Test func `A house between the numbers of a lot is found there, below an exact number`()
    async throws
  {
    let locator = try await LocatorTask.ofLabels([
      "104-106 Main St", "101–109 Main St", "105 Elm St", "101-109 Elm St", "12-105 Side St",
      "Unit 104 106 Cove Rd", "Oak St 20 - 30",
    ])
    let found = try await locator.geocode("105 Main")
    #expect(found.map(\.label) == ["101–109 Main St", "104-106 Main St"], "its side comes first")
    #expect(found.map(\.score).sorted(by: >) == found.map(\.score))
    let exact = try #require(try await locator.geocode("105 Elm").first)
    #expect(exact.label == "105 Elm St" && found.allSatisfy { $0.score < exact.score - 5 })
    #expect(try await locator.geocode("104 Main").first?.label == "104-106 Main St")
    for (text, label) in [
      ("105 ma", "101–109 Main St"), ("main 107", "101–109 Main St"),
      ("105b main st", "101–109 Main St"), ("25 oak", "Oak St 20 - 30"),
      ("105 Main St, Mapleham, ME 04401", "101–109 Main St"),
      ("111 main", nil), ("105 cove", nil), ("99 side", "12-105 Side St"),
    ] {
      #expect(try await locator.suggest(text).first?.label == label, "\(text)")
      #expect(try await locator.geocode(text).first?.label == label, "\(text)")
    }
  }

  @Test func `Umlauts are found as they are typed without them`() async throws {
    let locator = try await LocatorTask.ofLabels([
      "Müllerstraße", "Köln Süd", "Jägerhöfe", "Blue Queen", "Via d'Angelo", "Via dell'Arte",
      "Qu'Appelle", "Åbenrå", "Haarlem",
    ])
    for (text, label) in [
      ("muellerstrasse", "Müllerstraße"), ("mullerstrasse", "Müllerstraße"),
      ("koeln sued", "Köln Süd"), ("jaegerhoe", "Jägerhöfe"), ("blue queen", "Blue Queen"),
      ("aabenraa", "Åbenrå"), ("haarlem", "Haarlem"),
      ("dellarte", "Via dell'Arte"), ("quappelle", "Qu'Appelle"),
      ("dangelo", "Via d'Angelo"), ("d'angelo", "Via d'Angelo"), ("angelo", "Via d'Angelo"),
    ] {
      let first = try #require(try await locator.geocode(text).first, "\(text)")
      #expect(first.label == label && first.score > 85, "\(text): \(first)")
    }
  }

  @Test func `A row of one letter is not taken for that letter`() async throws {
    let locator = try await LocatorTask.ofLabels(["A Street", "Åbenrå"])
    #expect(try await locator.geocode(String(repeating: "a", count: 100)) == [])
    #expect(try await locator.geocode("aabenraa").map(\.label) == ["Åbenrå"])
  }

  @Test func `A label comes before the place that its text could also be`() async throws {
    let locator = try await LocatorTask.ofLabels(["4QFJ12", "Town & Country"])
    let suggestions = try await locator.suggest("4QFJ12")
    #expect(suggestions.map(\.sourceTitle) == ["Labels", "Coordinate"])
    #expect(try await locator.suggest("town & country").map(\.label) == ["Town & Country"])
  }

  @Test(arguments: [
    "bed and braekfast", "bed & brekfast", "Bed and Breakfast", "11 gar", "gardn and pond",
  ])
  func `What only looks like a place is found as it is meant`(_ text: String) async throws {
    let locator = try await LocatorTask.ofLabels([
      "Bed & Breakfast", "Bed and Breakfast", "11 Garden Road", "Garden and Pond",
    ])
    let found = try await locator.suggest(text)
    #expect(found.first?.sourceTitle == "Labels", "\(found)")
  }

  @Test(arguments: [
    String(repeating: "a", count: 10_000), String(repeating: "1 ", count: 5_000), "* & *",
    "% and _",
    "\0 & \0", "/", "&&&&", " and and and ", "\u{1B}[31m 12 & 14", "💥 & 💥",
    String(repeating: "corner of ", count: 1_000), String(repeating: "°", count: 90) + "1 2",
    Array(repeating: "main & elm", count: 900).joined(separator: " & "),
  ])
  func `Any typed text is searched for without harm`(_ text: String) async throws {
    let locator = try await Town.locator()
    #expect(try await locator.suggest(text).count <= LocatorTask.suggestionCount)
    #expect(try await locator.geocode(text).count <= 10)
  }

  @Test(arguments: ["Название", "ΟΝΟΜΑ", "名称", "이름", "Nazwa", "الاسم", "नाम"])
  func `Names are searched in whichever language their field is called`(_ field: String) {
    let schema = FeatureTableSchema(
      name: "places", geometryType: .point, spatialReference: .wgs84,
      fields: [Field("OBJECTID", .objectID), Field("code", .string), Field(field, .string)])
    #expect(SearchFields.names(in: schema) == [field])
  }

  @Test(arguments: [
    ("ADDNUM PREDIR STNAME STTYPE UNIT CITY", "ADDNUM PREDIR STNAME STTYPE UNIT CITY"),
    ("HAUSNR ZUSATZ STRASSE PLZ ORT", "HAUSNR ZUSATZ STRASSE ORT"),
    ("numero rep nom_voie code_postal nom_commune", "numero rep nom_voie nom_commune"),
    (
      "addr:housenumber addr:street addr:city name", "name addr:housenumber addr:street addr:city"
    ),
    ("kind address name", "name address"), ("FULLNAME ADDNUM STREET", "ADDNUM STREET"),
    ("name kind", "name"), ("NUMBER STREET UNIT CITY", "NUMBER STREET UNIT CITY"),
    ("HOUSE STREET ZIP", "HOUSE STREET"), ("NO HOUSENUMBER STREET", "HOUSENUMBER STREET"),
    ("addr_house addr_stree addr_city", "addr_house addr_stree addr_city"),
    ("NUMBER_FIRST STREET_NAME SUBURB", "NUMBER_FIRST STREET_NAME SUBURB"),
    ("SUBURB CITY NUMBER STREET", "NUMBER STREET CITY"),
    ("NUMBER NO STREET", "NUMBER STREET"), ("LOCALITY SUBURB STREET", "STREET LOCALITY"),
  ])
  func `The fields of an address are found by their names, and a name beside them`(
    _ fields: String, _ expected: String
  ) {
    let names = fields.split(separator: " ").map(String.init)
    let schema = FeatureTableSchema(
      name: "places", geometryType: .point, spatialReference: .wgs84,
      fields: [Field("OBJECTID", .objectID)] + names.map { Field($0, .string) })
    #expect(SearchFields.names(in: schema).joined(separator: " ") == expected)
  }

  @Test(arguments: [
    ("NAME ADDRESS CITY", "NAME ADDRESS CITY"),
    ("NAME HOUSENO STREET CITY", "NAME HOUSENO STREET CITY"),
    ("HYDRANTID ADDRESS", "HYDRANTID ADDRESS"), ("FULLNAME HOUSENO STREET", "FULLNAME"),
    ("MAINID STREET", "MAINID"), ("KIND ADDRESS", "KIND ADDRESS"), ("STREET ADDRESS", "ADDRESS"),
    ("FULLADDR ADDRESS", "FULLADDR"),
  ])
  func `An address is searched beside a display field that names or numbers what has it`(
    _ fields: String, _ expected: String
  ) {
    let names = fields.split(separator: " ").map(String.init)
    let schema = FeatureTableSchema(
      name: "places", geometryType: .point, spatialReference: .wgs84,
      fields: [Field("OBJECTID", .objectID)] + names.map { Field($0, .string) },
      displayField: names.first)
    #expect(SearchFields.names(in: schema).joined(separator: " ") == expected)
  }

  @Test func `A shop is found by its name and by its address`() async throws {
    let values: [[String?]] = [
      ["14", "a", "Hauptstraße", "Berlin", "Bäckerei"], ["16", nil, "Am Markt", nil, nil],
    ]
    let fields = ["HAUSNR", "ZUSATZ", "STRASSE", "ORT", "NAME"]
    let schema = FeatureTableSchema(
      name: "shops", geometryType: .point, spatialReference: .wgs84,
      fields: [Field("OBJECTID", .objectID)] + fields.map { Field($0, .string) })
    let features = values.enumerated().map { number, texts -> Feature in
      let id = Int64(number + 1)
      let rest = texts.map { text in text.map { AttributeValue.text($0) } ?? AttributeValue.null }
      return Feature(
        objectID: id,
        attributes: Attributes(FieldList(schema.fields), [AttributeValue.integer(id)] + rest),
        geometry: .point(Point(x: 0, y: 0)))
    }
    let source = LocatorSource(
      id: "shops", layerID: "shops", title: "Shops",
      store: InMemoryFeatureStore([FeatureTableContents(schema: schema, features: features)]),
      schema: schema, fields: SearchFields.names(in: schema))
    let locator = try await LocatorTask(indexing: [source], map: "Town")
    for (text, label) in [
      ("bäckerei", "Bäckerei, 14 a Hauptstraße, Berlin"),
      ("14a hauptstr", "Bäckerei, 14 a Hauptstraße, Berlin"), ("am markt 16", "16 Am Markt"),
    ] {
      #expect(try await locator.suggest(text).first?.label == label, "\(text)")
    }
  }

  @Test func `A coordinate is a place`() async throws {
    let found = try await Town.locator().geocode("44.5, -68.25")
    #expect(found.map(\.label) == ["44.5° N, 68.25° W"])
    #expect(found.first?.kind == .coordinate)
  }

  @Test func `The nearest feature is found for a place`() async throws {
    let found = try await Town.locator().reverseGeocode(
      Coordinate(x: 0.00101, y: 0.00001), within: 50, limit: 2)
    #expect(found.map(\.label) == ["Main St", "12 Main St, Mapleham"])
    #expect(found.allSatisfy { $0.score > 90 && $0.score <= 100 })
    let far = try await Town.locator().reverseGeocode(Coordinate(x: 10, y: 10))
    #expect(far == [])
  }

  @Test func `Scores fall with what keeps a match from being the whole label`() async throws {
    let locator = try await Town.locator()
    let scores = try await [
      "14 main st mapleham", "14 main st", "14 mai", "14 mapleham main st", "14 mian st",
    ].asyncMap { try await locator.geocode($0).first?.score ?? 0 }
    #expect(scores == [100, 98, 91, 96, 83])
    let mistyped = try await locator.geocode("mian st mapelham")
    #expect(mistyped.map(\.label) == ["12 Main St, Mapleham", "14 Main St, Mapleham"])
    #expect(mistyped.map(\.score) == [68, 68])
  }

  @Test func `A map without texts cannot be searched, which is not the same as no match`()
    async throws
  {
    let found = try await Town.locator().suggest("zzz")
    #expect(found == [])
    await #expect(throws: SearchError.nothingToSearch(map: "Town")) {
      _ = try await LocatorTask(indexing: [], map: "Town")
    }
  }

  @Test func `A layer that cannot be read is reported and does not affect the others`() async throws
  {
    let sources = [Town.unreadable] + Town.sources
    let locator = try await LocatorTask(indexing: sources, map: "Town")
    let problems = SearchProblems()
    let found = try await locator.suggest("main", noting: problems)
    #expect(found.map(\.label) == (try await Town.locator().suggest("main").map(\.label)))
    guard case .unreadableLayer(title: "Gone", _)? = problems.all.first else {
      Issue.record("\(problems.all)")
      return
    }
    let geocoded = SearchProblems()
    #expect(try await locator.geocode("12 elm", noting: geocoded).count == 1)
    #expect(geocoded.all == problems.all)
    let near = SearchProblems()
    let place = Coordinate(x: 0.001, y: 0)
    #expect(try await locator.reverseGeocode(place, noting: near).count == 1)
    #expect(near.all == problems.all)
    let coordinate = SearchProblems()
    #expect(try await locator.geocode("44.5, -68.25", noting: coordinate).count == 1)
    #expect(coordinate.all == [])
  }

  @Test func `Only the requested sources answer, and only their problems are reported`()
    async throws
  {
    let sources = [Town.unreadable] + Town.sources
    let locator = try await LocatorTask(indexing: sources, map: "Town")
    let streets = Set(Town.sources.filter { $0.schema.name == "streets" }.map(\.id))
    let problems = SearchProblems()
    let typed = try await locator.suggest("main", in: streets, noting: problems)
    #expect(typed.map(\.label) == ["Main St"] && typed.first?.isCollection == true)
    let found = try await locator.geocode("main", in: streets, noting: problems)
    #expect(found.map(\.label) == ["Main St", "Main St"])
    let place = Coordinate(x: 0.001, y: 0)
    let near = try await locator.reverseGeocode(
      place, limit: 9, in: streets, noting: problems)
    #expect(near.map(\.label) == ["Main St"])
    #expect(problems.all == [])
    _ = try await locator.suggest("main", in: [Town.unreadable.id], noting: problems)
    #expect(problems.all.count == 1)
  }

  @Test func `Coordinates are found where no layer can be read`() async throws {
    let locator = try await LocatorTask(indexing: [Town.unreadable], map: "Town")
    #expect(try await locator.geocode("44.5, -68.25").map(\.kind) == [.coordinate])
    await #expect(throws: SearchError.self) { try await locator.suggest("main") }
    await #expect(throws: SearchError.self) { try await locator.geocode("main & 2nd") }
  }

  @Test func `A request that is cancelled throws`() async throws {
    let locator = try await Town.locator()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await locator.suggest("main")
    }
    await #expect(throws: SearchError.cancelled) { _ = try await task.value }
  }
}

extension LocatorTask {
  /// A locator of a table with some labels.
  static func ofLabels(_ labels: [String]) async throws -> LocatorTask {
    let schema = FeatureTableSchema(
      name: "labels", geometryType: .point, spatialReference: .wgs84,
      fields: [Field("OBJECTID", .objectID), Field("NAME", .string)])
    let features = labels.enumerated().map { number, label in
      Feature(
        objectID: Int64(number + 1),
        attributes: Attributes(
          FieldList(schema.fields), [.integer(Int64(number + 1)), .text(label)]),
        geometry: .point(Point(x: 0, y: 0)))
    }
    let store = InMemoryFeatureStore([FeatureTableContents(schema: schema, features: features)])
    let source = LocatorSource(
      id: "labels", layerID: "labels", title: "Labels", store: store, schema: schema,
      fields: ["NAME"])
    return try await LocatorTask(indexing: [source], map: "Labels")
  }
}

extension [String] {
  fileprivate func asyncMap<Value>(
    _ body: (String) async throws -> Value
  ) async rethrows -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await body(element)) }
    return values
  }
}
