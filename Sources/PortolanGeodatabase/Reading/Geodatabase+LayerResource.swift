public import PortolanFeatures
public import PortolanJSON

extension Geodatabase {
  /// What the service that the file came from says of a table as a layer, drawing included; `nil`
  /// if the file does not hold it.
  ///
  /// - SeeAlso: Docs/FORMATS.md, 2.2
  public func layerResource(
    of table: String
  ) async throws(FeatureStoreError) -> JSONObject? {
    let text = try await read { reader throws(FeatureStoreError) in
      try reader.layerResourceText(of: table)
    }
    // Drawing that cannot be read is as good as none; the features are what matters.
    return text.flatMap { try? JSONValue(parsing: $0) }?.object
  }
}

extension GeodatabaseReader {
  /// The layer resource of a table as JSON text.
  fileprivate borrowing func layerResourceText(
    of table: String
  ) throws(FeatureStoreError) -> String? {
    do {
      return try SystemTables.serviceItems(connection)
        .first { $0.table.isSameName(as: table) }?.info
    } catch {
      throw source.location.failure(error, in: "GDB_ServiceItems")
    }
  }
}
