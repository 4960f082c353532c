internal import Foundation
internal import PortolanFeatures
internal import PortolanFiles
internal import PortolanGeoPackage
internal import PortolanGeodatabase

/// The interface that the writers of mobile geodatabases and of GeoPackages share.
protocol DatabaseWriter: ~Copyable {
  init(
    at url: URL, _ definition: GeodatabaseDefinition, now: Date, makeID: @escaping () -> UUID
  ) throws(GeodatabaseWriterError)

  @discardableResult
  func append(
    _ feature: Feature, to table: String, attachments: [NewAttachment]
  ) throws(GeodatabaseWriterError) -> Int64

  /// Completes the file; returns what its format has no place for.
  consuming func complete(
    _ durability: FileDurability, replacing replaces: Bool
  ) throws(GeodatabaseWriterError) -> [Omission]
}

extension GeodatabaseWriter: DatabaseWriter {
  consuming func complete(
    _ durability: FileDurability, replacing replaces: Bool
  ) throws(GeodatabaseWriterError) -> [Omission] {
    try finish(durability, replacing: replaces)
    return []
  }
}

extension GeoPackageWriter: DatabaseWriter {
  /// Always syncs the file: nothing makes a GeoPackage that is only scratch.
  consuming func complete(
    _: FileDurability, replacing replaces: Bool
  ) throws(GeodatabaseWriterError) -> [Omission] { try finish(replacing: replaces) }
}

/// A mobile geodatabase or a GeoPackage that is being made.
final class DatabaseTarget<Writer: DatabaseWriter & ~Copyable>: FeatureStoreWriter {
  private var writer: Writer?
  private let durability: FileDurability
  /// The tables without shapes, by their names; the writer looks at the shapes of the others.
  private let plainTables: [String: FeatureTableSchema]
  private(set) var unfitField: String?

  /// Begins a file with the tables.
  init(
    at url: URL, _ tables: [GeodatabaseDefinition.Table], _ environment: ConversionEnvironment
  ) throws(GeodatabaseWriterError) {
    durability = environment.durability
    let plain = tables.map(\.schema).filter { $0.geometryType == nil }
    plainTables = Dictionary(plain.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let definition = GeodatabaseDefinition(
      name: url.deletingPathExtension().lastPathComponent,
      capabilities: "Create,Delete,Query,Update", tables: tables)
    writer = try Writer(
      at: url, definition, now: environment.now(), makeID: environment.makeID)
  }

  func append(
    _ feature: Feature, to table: String, attachments: [NewAttachment]
  ) throws -> String? {
    unfitField = nil
    if let refusal = plainTables[table]?.refusal(of: feature.geometry) { return refusal }
    do {
      _ = try writer?.append(feature, to: table, attachments: attachments)
      return nil
    } catch .invalidValue(_, _, let field, let reason) {
      unfitField = field
      return "\"\(field)\": \(reason)"
    }
  }

  func finish(replacing replaces: Bool) throws -> [Omission] {
    try writer.take()?.complete(durability, replacing: replaces) ?? []
  }
}
