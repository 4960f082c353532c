internal import Foundation
public import PortolanFeatures

/// A feature layer or table of a file, found by name.
public struct InspectedLayer: Sendable {
  /// The names by which it is found, the first of which counts most.
  public let names: [String]
  /// The store that holds the table.
  public let store: any FeatureStore
  /// The table.
  public let schema: FeatureTableSchema
  /// The condition that features must meet to be in the layer, in SQL.
  public let definitionExpression: String?
  /// Warnings about the file: an expired date, an encoding that was guessed.
  public internal(set) var warnings: [String] = []
  /// The parts of the file that cannot be read, a sentence each, so that features of the layer may
  /// be missing.
  public internal(set) var unreadableParts: [String] = []
  /// Why the spatial reference of the file is unknown although it states one, as the beginning of a
  /// sentence.
  var referenceFault: String?
  /// Keeps other processes from deleting the stored map that it is of; `nil` of other files.
  var lease: OpenedStoredMap?

  /// Creates a layer.
  public init(
    names: [String], store: any FeatureStore, schema: FeatureTableSchema,
    definitionExpression: String? = nil
  ) {
    self.names = names
    self.store = store
    self.schema = schema
    self.definitionExpression = definitionExpression
  }

  /// That nothing says what the coordinates mean, without a full stop; `nil` if something does, or if there
  /// are none.
  public var unknownReference: String? {
    guard schema.spatialReference == nil, schema.geometryType != nil || schema.mayMixShapes else {
      return nil
    }
    let fact = "Nothing says what the coordinates of \"\(schema.alias)\" mean"
    return referenceFault.map { "\(fact): \($0)" } ?? fact
  }

  /// The tables of a store, by name or alias.
  static func tables(
    of store: any FeatureStore
  ) async throws(FeatureStoreError) -> [InspectedLayer] {
    try await store.schemas().map {
      InspectedLayer(names: [$0.name, $0.alias], store: store, schema: $0)
    }
  }

  /// Checks a condition of the user's.
  ///
  /// - Throws: A problem if it cannot be understood.
  public func check(_ condition: String?) throws(Problem) {
    if let fault = fault(in: condition) { throw Problem(fault) }
  }

  /// Checks the condition that the map has for the layer.
  ///
  /// - Throws: A problem if it cannot be understood.
  public func checkDefinition() throws(Problem) {
    guard let fault = fault(in: definitionExpression) else { return }
    throw Problem(definitionExpression: fault) ?? Problem(fault)
  }

  /// The reason why a condition cannot be understood; `nil` if it can.
  ///
  /// Whether the fields are there that it names is for the store to say.
  private func fault(in condition: String?) -> FeatureStoreError? {
    guard let condition else { return nil }
    do throws(FeatureStoreError) {
      _ = try WhereClause(condition).bound(to: schema, now: Date(timeIntervalSince1970: 0))
      return nil
    } catch {
      if case .badWhereClause = error { return error }
      return nil
    }
  }

  /// The layer's own condition and another, both of which must hold.
  func condition(and other: String?) -> String? {
    let conditions = [definitionExpression, other].compactMap(\.self).filter { !$0.isEmpty }
    return conditions.count > 1
      ? conditions.map { "(\($0))" }.joined(separator: " AND ") : conditions.first
  }
}

extension [[InspectedLayer]] {
  /// The layer called `name`, without case.
  ///
  /// Earlier lists count more than later ones, first names more than second ones, and among
  /// equals the first layer wins.
  func layer(named name: String, in file: String) throws(InspectionError) -> InspectedLayer {
    let wanted = name.lowercased()
    for list in self {
      for place in 0..<(list.map(\.names.count).max() ?? 0) {
        let found = list.first {
          $0.names.indices.contains(place) && $0.names[place].lowercased() == wanted
        }
        if let found { return found }
      }
    }
    var available: [String] = []
    // The maps of a package often show the same layers.
    for name in first(where: { !$0.isEmpty })?.compactMap(\.names.first) ?? []
    where !available.contains(name) {
      available.append(name)
    }
    throw .noSuchLayer(name: name, file: file, available: available)
  }
}
