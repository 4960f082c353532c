internal import PortolanFeatures
internal import PortolanGeometry
internal import Testing

extension FeatureStoreContract {
  static let ordering = [
    FeatureStoreContract("Fields order; object ids where they leave a choice") {
      store async throws in
      for (order, ids) in orders {
        #expect(try await store.ids(QueryParameters(orderBy: order)) == ids, "\(order)")
      }
    },
    FeatureStoreContract("Pages follow each other without gap or overlap") { store async throws in
      let order = [QueryParameters.OrderBy("WEIGHT", isDescending: true)]
      let all = try await store.ids(in: "Stones", QueryParameters(orderBy: order))
      var pages: [Int64] = []
      for offset in stride(from: 0, to: 1100, by: 300) {
        pages += try await store.ids(
          in: "Stones", QueryParameters(orderBy: order, offset: offset, limit: 300))
      }
      #expect(pages == all)
      #expect(Set(pages).count == 1000)
    },
    FeatureStoreContract("Offset and limit may lie beyond the end") { store async throws in
      #expect(try await store.ids(QueryParameters(offset: 1, limit: 2)) == [7, 8])
      #expect(try await store.ids(QueryParameters(offset: 4)) == [21])
      #expect(try await store.ids(QueryParameters(offset: 5, limit: 2)) == [])
      #expect(try await store.ids(QueryParameters(offset: .max, limit: .max)) == [])
      #expect(try await store.ids(QueryParameters(limit: 0)) == [])
    },
    FeatureStoreContract("Order, offset and limit do not count") { store async throws in
      let query = QueryParameters(orderBy: [.init("POP")], offset: 2, limit: 1)
      #expect(try await store.count(in: "Towns", matching: query) == 5)
    },
    FeatureStoreContract("An extent is applied before offset and limit") { store async throws in
      let extent = Envelope(xMin: -69, yMin: 43, xMax: -67, yMax: 46)
      let query = QueryParameters(
        extent: extent, orderBy: [.init("NAME", isDescending: true)], offset: 1, limit: 1)
      #expect(try await store.ids(query) == [7])
    },
  ]

  private static let orders: [([QueryParameters.OrderBy], [Int64])] = [
    ([.init("NAME")], [21, 20, 3, 7, 8]),
    ([.init("name", isDescending: true)], [8, 7, 3, 20, 21]),
    ([.init("POP", isDescending: true)], [3, 7, 20, 8, 21]),
    ([.init("RANK"), .init("NAME", isDescending: true)], [8, 21, 3, 7, 20]),
    ([.init("FOUNDED"), .init("OBJECTID", isDescending: true)], [21, 20, 8, 7, 3]),
    ([.init("AREA")], [20, 21, 8, 7, 3]),
  ]
}
