internal import PortolanFeatures
internal import PortolanGeometry
internal import Testing

extension FeatureStoreContract {
  static let schemas = [
    FeatureStoreContract("Tables are described") { store async throws in
      let schemas = try await store.schemas()
      for table in ContractTables.all where table.schema.name != "Guards" {
        let schema = try #require(schemas.first { $0.name == table.schema.name })
        #expect(schema.fields.map(\.name) == table.schema.fields.map(\.name))
        #expect(schema.fields.map(\.type) == table.schema.fields.map(\.type))
        #expect(schema.geometryType == table.schema.geometryType)
        #expect(schema.objectIDField == table.schema.objectIDField)
        #expect(schema.globalIDField == table.schema.globalIDField)
        #expect(schema.hasAttachments == table.schema.hasAttachments)
        #expect(
          schema.spatialReference?.currentWKID == table.schema.spatialReference?.currentWKID)
      }
      #expect(schemas.first { $0.name == "Towns" }?.field(named: "name")?.alias == "Name")
      #expect(schemas.first { $0.name == "Towns" }?.field(named: "NAME")?.length == 40)
    }
  ]

  static let reading = [
    FeatureStoreContract("Features come back as they were, by object id") { store async throws in
      for table in ContractTables.all where table.schema.name != "Guards" {
        let name = table.schema.name
        let features = try await store.features(in: name, matching: QueryParameters()).collect()
        #expect(features.map(\.objectID) == table.features.map(\.objectID).sorted())
        for (found, expected) in zip(features, table.features) {
          #expect(found.geometry == expected.geometry, "\(name) \(expected.objectID)")
          for field in table.schema.fields {
            #expect(
              found.attributes[field.name] == expected.attributes[field.name],
              "\(name) \(expected.objectID) \(field.name)")
          }
        }
      }
    },
    FeatureStoreContract("Names of tables are compared without case") { store async throws in
      #expect(try await store.ids(in: "TOWNS") == [3, 7, 8, 20, 21])
      #expect(try await store.count(in: "towns", matching: QueryParameters()) == 5)
    },
    FeatureStoreContract("A sequence can be followed again") { store async throws in
      let stones = store.features(in: "Stones", matching: QueryParameters())
      let first = try await stones.collect()
      #expect(first.map(\.objectID) == Array(1...1000))
      #expect(try await stones.collect() == first)
    },
    FeatureStoreContract("A sequence can be left early") { store async throws in
      var count = 0
      for try await _ in store.features(in: "Stones", matching: QueryParameters()) {
        count += 1
        if count == 300 { break }
      }
      #expect(try await store.ids(in: "Stones").count == 1000)
    },
    FeatureStoreContract("Only the fields asked for are read, in the order asked for") {
      store async throws in
      let query = QueryParameters(objectIDs: [3], outFields: ["pop", "NAME"])
      let town = try #require(
        try await store.features(in: "Towns", matching: query).collect().first)
      #expect(town.attributes.fields.map(\.name) == ["POP", "NAME"])
      #expect(town.attributes.values == [.integer(66_215), .text("Portland")])
      #expect(town.geometry != nil)
      let all = QueryParameters(objectIDs: [3], returnsGeometry: false, outFields: ["*"])
      let same = try #require(try await store.features(in: "Towns", matching: all).collect().first)
      #expect(same.attributes.fields.count == ContractTables.townFields.count)
      #expect(same.geometry == nil)
    },
  ]

  static let selecting = [
    FeatureStoreContract("Where clauses select") { store async throws in
      for (clause, ids) in clauses {
        #expect(try await store.ids(QueryParameters(whereClause: clause)) == ids, "\(clause)")
        let query = QueryParameters(whereClause: clause)
        #expect(try await store.count(in: "Towns", matching: query) == ids.count, "\(clause)")
      }
    },
    FeatureStoreContract("An extent selects the shapes whose boxes meet it") { store async throws in
      for (extent, ids) in extents {
        #expect(try await store.ids(QueryParameters(extent: extent)) == ids, "\(extent)")
        let query = QueryParameters(extent: extent)
        #expect(try await store.count(in: "Towns", matching: query) == ids.count)
      }
      let corner = Envelope(xMin: -69, yMin: 44.5, xMax: -68.5, yMax: 44.5)
      #expect(try await store.ids(in: "Parks", QueryParameters(extent: corner)) == [1, 2])
      #expect(try await store.ids(in: "Rangers", QueryParameters(extent: corner)) == [])
    },
    FeatureStoreContract("Object ids select") { store async throws in
      #expect(try await store.ids(QueryParameters(objectIDs: [20, 3, 99, 3])) == [3, 20])
      #expect(try await store.ids(QueryParameters(objectIDs: [])) == [])
      let many = Array(Int64(500)...70_000)
      #expect(try await store.ids(in: "Stones", QueryParameters(objectIDs: many)).count == 501)
    },
    FeatureStoreContract("What selects selects together") { store async throws in
      let query = QueryParameters(
        whereClause: "WEIGHT > 500", extent: Envelope(xMin: 0, yMin: 0, xMax: 5, yMax: 25),
        objectIDs: Array(1...500))
      let expected = ContractTables.stones.features.filter { stone in
        guard case .integer(let weight) = stone.attributes["WEIGHT"],
          let box = stone.geometry?.extent
        else { return false }
        return weight > 500 && box.xMax <= 5 && stone.objectID <= 500
      }
      #expect(try await store.ids(in: "Stones", query) == expected.map(\.objectID))
      #expect(!expected.isEmpty)
    },
    FeatureStoreContract("Extents are those of the shapes found") { store async throws in
      let all = try await store.extent(of: "Towns", matching: QueryParameters())
      #expect(all == Envelope(xMin: -70.5, yMin: 43.5, xMax: -67, yMax: 46))
      let some = QueryParameters(whereClause: "POP = 31753", limit: 1)
      let part = try await store.extent(of: "Towns", matching: some)
      #expect(part == Envelope(xMin: -69, yMin: 45, xMax: -68.5, yMax: 46))
      let none = QueryParameters(whereClause: "OBJECTID = 21")
      #expect(try await store.extent(of: "Towns", matching: none) == nil)
      #expect(try await store.extent(of: "Rangers", matching: QueryParameters()) == nil)
    },
  ]

  private static let clauses: [(String, [Int64])] = [
    ("", [3, 7, 8, 20, 21]), ("1=1", [3, 7, 8, 20, 21]), ("1=2", []),
    ("NAME = 'Portland'", [3]), ("NAME = 'portland'", []), ("NAME LIKE '%port%'", [8]),
    ("UPPER(NAME) LIKE '%PORT%'", [3, 8]), ("LOWER(NAME) LIKE 'éa%'", [8]),
    ("NAME = 'O''Brien'", [20]), ("NAME IS NULL", [21]), ("RANK = 2 AND NAME > 'a'", [7]),
    ("POP BETWEEN 1288 AND 31753", [7, 8, 20]), ("POP IN (1288, 66215)", [3, 8]),
    ("NOT POP = 31753", [3, 8]), ("RANK IS NULL OR POP > 60000", [3, 8, 21]),
    ("AREA < 0", [8]), ("AREA / 2 > 44", [3, 7]), ("SHARE = 0.5", [3]),
    ("WEALTH > 5000000000", [3]), ("FOUNDED = TIMESTAMP '2017-02-11 20:55:04.125'", [3]),
    ("FOUNDED < DATE '1970-01-01'", [7]), ("FOUNDED < CURRENT_TIMESTAMP", [3, 7]),
    ("EXTRACT(YEAR FROM FOUNDED) = 1969", [7]), ("SEAL IS NOT NULL", [3]),
    ("NOTE = '00000000-0000-4000-8000-000000000009'", [3]), ("OBJECTID > 7", [8, 20, 21]),
    ("CHAR_LENGTH(NAME) = 8", [3, 8]), ("ROUND(AREA / 100) = 2", [3]),
  ]

  private static let extents: [(Envelope, [Int64])] = [
    (Envelope(xMin: -180, yMin: -90, xMax: 180, yMax: 90), [3, 7, 8, 20]),
    (Envelope(xMin: -70.5, yMin: 43.5, xMax: -70.5, yMax: 43.5), [3]),
    (Envelope(xMin: -70.5, yMin: 43.5, xMax: -69, yMax: 45), [3, 7]),
    (Envelope(xMin: -70.499, yMin: 43, xMax: -69.001, yMax: 46), []),
  ]
}
