internal import Foundation
internal import PortolanFiles
internal import PortolanLibrary
internal import PortolanMap

/// A tile package on this device that replaces the basemap of an area.
struct ReferenceBasemap {
  /// The id of the layer that shows it.
  static let layerID = "reference-basemap"

  private static let types: [String: LayerType] = [
    "tpk": .tiledMapService, "tpkx": .tiledMapService, "vtpk": .vectorTile,
  ]

  /// Where it is; `nil` for one whose copy is used again.
  private let source: URL?
  private let type: LayerType

  /// The name of the file.
  let name: String
  /// The name of the copy beside the packages.
  let fileName: String

  /// Takes a file for a basemap.
  ///
  /// - Throws: ``OfflineMapError/noReferenceBasemap(file:reason:)`` for files of other kinds.
  init(_ source: URL) throws(OfflineMapError) {
    try self.init(source.lastPathComponent, source)
  }

  /// Takes the copy of a file again that an area was stored with.
  ///
  /// - Parameter name: The name that the file had.
  /// - Throws: ``OfflineMapError/noReferenceBasemap(file:reason:)`` for files of other kinds.
  init(kept name: String) throws(OfflineMapError) { try self.init(name, nil) }

  private init(_ name: String, _ source: URL?) throws(OfflineMapError) {
    let suffix = (name as NSString).pathExtension.lowercased()
    guard let type = Self.types[suffix] else {
      throw .noReferenceBasemap(file: name, reason: "it is no .tpk, .tpkx or .vtpk")
    }
    self.name = name
    self.source = source
    self.type = type
    fileName = "basemap.\(suffix)"
  }

  /// The tile package that stands in for the basemap of an area; `nil` if none does.
  init?(_ parameters: DownloadPreplannedOfflineMapParameters) throws(OfflineMapError) {
    if let file = parameters.referenceBasemap {
      try self.init(file)
    } else if let name = parameters.keptReferenceBasemap {
      try self.init(kept: name)
    } else {
      return nil
    }
  }

  /// The layer that shows it.
  var layer: Layer {
    var layer = Layer(
      type, id: Self.layerID, title: (name as NSString).deletingPathExtension, role: .basemap)
    layer.path = PackagePath("./\(fileName)")
    return layer
  }

  /// The bytes that its copy takes.
  var byteCount: Int? {
    // What cannot be measured is not known.
    try? source?.resourceValues(forKeys: [.fileSizeKey]).fileSize
  }

  /// Whether the file is not where it was said to be; a copy is looked for when it is needed.
  var isMissing: Bool { source.map { !FileSystem.live.exists($0) } ?? false }

  /// Opens the file where it is.
  ///
  /// - Throws: ``OfflineMapError/noReferenceBasemap(file:reason:)`` if it is damaged,
  ///   `FileError.absent(file:)`; what else keeps it from being opened.
  func check(_ environment: OfflineEnvironment) async throws {
    guard let source else { return }
    guard !isMissing else { throw FileError.absent(file: source.path(percentEncoded: false)) }
    guard let damage = try await environment.damage(of: source) else { return }
    throw OfflineMapError.noReferenceBasemap(file: name, reason: damage.plainReason)
  }

  /// Removes the copies of an earlier version of a map that this one does not show.
  static func removeCopies(in folder: URL, except name: String?) throws(LibraryError) {
    for suffix in types.keys.sorted() where "basemap.\(suffix)" != name {
      let copy = folder.appending(path: "basemap.\(suffix)")
      guard FileManager.default.fileExists(atPath: copy.path(percentEncoded: false)) else {
        continue
      }
      do { try FileManager.default.removeItem(at: copy) } catch {
        throw LibraryError(writing: copy, error)
      }
    }
  }

  /// Copies the file into a folder; a copy that is used again is there already.
  func copy(into folder: URL, check: OfflineEnvironment.Check) async throws {
    let target = folder.appending(path: fileName)
    guard let source else {
      guard FileManager.default.fileExists(atPath: target.path(percentEncoded: false)) else {
        throw OfflineMapError.noReferenceBasemap(
          file: name, reason: "the copy that was stored with the map is gone")
      }
      _ = try await check(target)
      return
    }
    if FileManager.default.fileExists(atPath: target.path(percentEncoded: false)) {
      try FileManager.default.removeItem(at: target)
    }
    do {
      try FileManager.default.copyItem(at: source, to: target)
    } catch let error as CocoaError where error.code == .fileWriteOutOfSpace {
      throw LibraryError(writing: target, error)
    } catch {
      throw OfflineMapError.noReferenceBasemap(
        file: source.lastPathComponent, reason: error.plainReason)
    }
    _ = try await check(target)
  }
}
