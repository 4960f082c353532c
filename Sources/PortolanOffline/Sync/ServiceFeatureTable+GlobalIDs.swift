internal import PortolanFeatures
internal import PortolanPortal

extension ServiceFeatureTable {
  /// How many global ids are asked for at once.
  private static let batch = 50

  /// The features by those of the given global ids that the service has.
  ///
  /// - Parameters:
  ///   - ids: The global ids.
  ///   - parameters: What is asked for of each.
  /// - Returns: The features.
  /// - Throws: What asking throws.
  func features(
    ofGlobalIDs ids: [String], _ parameters: ServiceQueryParameters
  ) async throws -> [String: Feature] {
    guard let field = info.schema?.globalIDField else { return [:] }
    let names = Dictionary(ids.map { (Self.plain($0), $0) }, uniquingKeysWith: { $1 })
    var found: [String: Feature] = [:]
    for start in stride(from: 0, to: ids.count, by: Self.batch) {
      // Products write global ids in different ways.
      let spellings = ids[start..<min(start + Self.batch, ids.count)].map(Self.plain)
        .flatMap { ["'{\($0)}'", "'\($0.lowercased())'"] }
      var query = parameters
      query.whereClause = "\(field) IN (\(spellings.joined(separator: ",")))"
      for try await page in pages(matching: query) {
        for feature in page.features {
          guard case .text(let id)? = feature.attributes[field], let name = names[Self.plain(id)]
          else { continue }
          found[name] = feature
        }
      }
    }
    return found
  }

  private static func plain(_ id: String) -> String {
    id.uppercased().filter { $0 != "{" && $0 != "}" }
  }
}
