internal import Foundation
internal import PortolanFeatures
internal import Testing

extension FeatureStoreContract {
  static let relating = [
    FeatureStoreContract("One park has many towns") { store async throws in
      #expect(try await store.related(to: 1, in: "Parks", 1) == [3, 7])
      #expect(try await store.related(to: 2, in: "Parks", 1) == [])
    },
    FeatureStoreContract("Each town has one park") { store async throws in
      #expect(try await store.related(to: 7, in: "Towns", 1) == [1])
    },
    FeatureStoreContract("Many parks have many rangers, by the table between") {
      store async throws in
      #expect(try await store.related(to: 1, in: "Parks", 2) == [1, 3])
      #expect(try await store.related(to: 2, in: "Parks", 2) == [1])
      #expect(try await store.related(to: 1, in: "Rangers", 2) == [1, 2])
      #expect(try await store.related(to: 2, in: "Rangers", 2) == [])
    },
    FeatureStoreContract("Without a key, or a feature, nothing is related") { store async throws in
      #expect(try await store.related(to: 3, in: "Parks", 1) == [])
      #expect(try await store.related(to: 3, in: "Parks", 2) == [])
      #expect(try await store.related(to: 8, in: "Towns", 1) == [])
      #expect(try await store.related(to: 99, in: "Towns", 1) == [])
    },
  ]

  static let attaching = [
    FeatureStoreContract("Attachments are listed and read") { store async throws in
      for objectID: Int64 in [7, 20] {
        let expected = ContractTables.towns.attachedFiles.filter { $0.objectID == objectID }
        let found = try await store.attachments(of: objectID, in: "Towns")
        #expect(found.map(\.name) == expected.map(\.name))
        #expect(found.map(\.contentType) == expected.map(\.contentType))
        #expect(found.map(\.size) == expected.map(\.data.count))
        for (attachment, file) in zip(found, expected) {
          #expect(try await store.data(of: attachment.id, in: "Towns") == file.data)
        }
      }
    },
    FeatureStoreContract("Other features have no attachments") { store async throws in
      #expect(try await store.attachments(of: 3, in: "Towns") == [])
      #expect(try await store.attachments(of: 99, in: "Towns") == [])
      #expect(try await store.attachments(of: 1, in: "Parks") == [])
    },
    FeatureStoreContract("An attachment that does not exist has no contents") {
      store async throws in
      await #expect(throws: FeatureStoreError.self) { try await store.data(of: 99, in: "Towns") }
      await #expect(throws: FeatureStoreError.self) { try await store.data(of: 1, in: "Parks") }
    },
  ]
}

extension FeatureStore {
  /// The object ids of what is related to a feature, through the relationship of an id.
  fileprivate func related(
    to objectID: Int64, in table: String, _ relationshipID: Int
  ) async throws -> [Int64] {
    let schema = ContractTables.all.first { $0.schema.name == table }?.schema
    let relationship = try #require(schema?.relationships.first { $0.id == relationshipID })
    return try await relatedFeatures(to: objectID, in: table, through: relationship)
      .map(\.objectID)
  }
}
