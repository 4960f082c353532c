public import Foundation

/// A map that is one file which can be edited in place, whatever its name says.
public enum EditableMapFile: Sendable {
  /// It has Esri's mark.
  case geodatabase
  /// Another database: a GeoPackage, or an old geodatabase.
  case database

  /// Looks at the first bytes of a file; `nil` for what cannot be edited: folders, whose files are
  /// looked at one by one, archives, tiles and documents.
  ///
  /// - Throws: ``PackageError`` if there is no such file, or it cannot be read.
  public init?(at url: URL) throws(PackageError) {
    let kind: ContainerKind
    do { kind = try ContainerKind(of: url) } catch {
      guard case .notAPackage = error else { throw error }
      return nil
    }
    switch kind {
    case .geodatabase: self = .geodatabase
    case .database: self = .database
    case .folder, .archive, .tileArchive, .json: return nil
    }
  }
}
