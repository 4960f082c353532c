internal import PortolanFeatures
internal import Testing

extension FeatureStoreContract {
  static let refusing = [
    FeatureStoreContract("A table that does not exist is refused everywhere") {
      store async throws in
      await expectNoTable { try await store.ids(in: "Tows") }
      await expectNoTable { try await store.count(in: "Tows", matching: QueryParameters()) }
      await expectNoTable { try await store.extent(of: "Tows", matching: QueryParameters()) }
      await expectNoTable { try await store.attachments(of: 1, in: "Tows") }
      await expectNoTable { try await store.data(of: 1, in: "Tows") }
      let relationship = try #require(ContractTables.towns.schema.relationships.first)
      await expectNoTable {
        try await store.relatedFeatures(to: 1, in: "Tows", through: relationship)
      }
    },
    FeatureStoreContract("A field that does not exist is refused everywhere") {
      store async throws in
      for query in [
        QueryParameters(whereClause: "NAMES = 'x'"), QueryParameters(orderBy: [.init("NAMES")]),
        QueryParameters(outFields: ["NAME", "NAMES"]),
      ] {
        await #expect(throws: FeatureStoreError.noSuchField(name: "NAMES", table: "Towns")) {
          try await store.ids(query)
        }
      }
    },
    FeatureStoreContract("A bad where clause is refused, with its place") { store async throws in
      let query = QueryParameters(whereClause: "POP = = 1")
      await #expect(
        throws: FeatureStoreError.badWhereClause(
          reason: "a value is missing before \"=\"", offset: 6)
      ) { try await store.ids(query) }
      await #expect(throws: FeatureStoreError.self) {
        try await store.count(in: "Towns", matching: query)
      }
    },
    FeatureStoreContract("Nothing in a query is read as SQL") { store async throws in
      let attacks = ["' OR 1=1 --", "Robert'); DROP TABLE Towns;--", "\"", "x\0y", "%"]
      for attack in attacks {
        let quoted = attack.replacing("'", with: "''")
        #expect(try await store.ids(QueryParameters(whereClause: "NAME = '\(quoted)'")) == [])
        await #expect(throws: FeatureStoreError.self) { try await store.ids(in: attack) }
        await #expect(throws: FeatureStoreError.self) {
          try await store.ids(QueryParameters(orderBy: [.init(attack)]))
        }
        await #expect(throws: FeatureStoreError.self) {
          try await store.ids(QueryParameters(outFields: [attack]))
        }
      }
      #expect(try await store.ids() == [3, 7, 8, 20, 21])
    },
    FeatureStoreContract("A cancelled task gets a cancellation error") { store async throws in
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        await #expect(throws: FeatureStoreError.cancelled) { try await store.ids(in: "Stones") }
        await #expect(throws: FeatureStoreError.cancelled) {
          try await store.count(in: "Stones", matching: QueryParameters())
        }
        await #expect(throws: FeatureStoreError.cancelled) { try await store.schemas() }
      }
      await task.value
    },
  ]
}

/// Runs `body`, which must say that there is no table of the name `Tows`, and which there are.
private func expectNoTable<Value>(_ body: () async throws -> Value) async {
  do {
    _ = try await body()
    Issue.record("nothing was thrown")
  } catch FeatureStoreError.noSuchTable("Tows", let available) {
    #expect(available.contains("Towns"))
  } catch {
    Issue.record("\(error)")
  }
}
