internal import Foundation
internal import PortolanFiles
internal import PortolanGeodatabase
internal import PortolanTiles

/// The place that a conversion writes to, checked before anything is read.
struct ConversionTarget {
  /// The file or folder, behind any link.
  let url: URL
  /// What is to be written.
  let format: ConversionFormat
  /// Whether an existing file may be replaced.
  let replaces: Bool

  /// The target as messages name it.
  var name: String { url.lastPathComponent }

  /// Checks the place.
  ///
  /// - Throws: ``ConversionError``: `unknownTarget`, `sameFile`, `targetExists`, `noSuchFolder`,
  ///   `unwritable`.
  init(
    _ output: URL, as given: ConversionFormat? = nil, from input: URL, replaces: Bool
  ) throws(ConversionError) {
    guard let format = given ?? ConversionFormat(of: output) else {
      throw .unknownTarget(file: output.relativePath)
    }
    self.format = format
    self.replaces = replaces
    url = output.resolvingSymlinksInPath()
    let path = url.path(percentEncoded: false)
    guard !Self.isSame(input.resolvingSymlinksInPath(), url) else {
      throw .sameFile(file: output.relativePath)
    }
    let folder = url.deletingLastPathComponent().path(percentEncoded: false)
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder),
      isFolder.boolValue
    else { throw .noSuchFolder(file: output.relativePath) }
    guard FileManager.default.isWritableFile(atPath: folder) else {
      throw .unwritable(file: path, reason: "you may not write to its folder")
    }
    try checkVacancy()
  }

  /// Refuses to replace an existing file at the target, unless that was asked for.
  ///
  /// An empty folder is nothing that could be lost.
  func checkVacancy() throws(ConversionError) {
    if format == .shapefile {
      for companion in ShapefileTarget.companions(of: url) { try checkVacancy(of: companion) }
    }
    let path = url.path(percentEncoded: false)
    guard !replaces, FileManager.default.fileExists(atPath: path) else { return }
    // A folder that cannot be listed may hold anything.
    let names = format == .folder ? try? FileManager.default.contentsOfDirectory(atPath: path) : nil
    guard let names, names.isEmpty else { throw .targetExists(file: url.relativePath) }
  }

  /// Refuses to replace a file that is written beside the target, unless that was requested.
  func checkVacancy(of companion: URL) throws(ConversionError) {
    let path = companion.path(percentEncoded: false)
    guard !replaces, FileManager.default.fileExists(atPath: path) else { return }
    throw .targetExists(file: companion.relativePath)
  }

  /// Puts a folder that was filled in its place, or its files among those that are there.
  func complete(_ folder: consuming StagedFolder) throws {
    try checkVacancy()
    let path = url.path(percentEncoded: false)
    // What cannot be listed is not there, and takes the whole folder.
    let names = try? FileManager.default.contentsOfDirectory(atPath: path)
    let isEmpty = names?.isEmpty ?? true
    // What has appeared in it meanwhile keeps the folder from its place, unless it may be replaced.
    if isEmpty || !replaces { try folder.commit() } else { try folder.merge() }
  }

  /// What kept a file from its place: one that has appeared there meanwhile and stays, or the error
  /// itself.
  func explaining(_ error: any Error) -> any Error {
    switch error {
    case FileError.alreadyExists, TileError.alreadyExists, GeodatabaseWriterError.notWritable:
      do { try checkVacancy() } catch let refusal { return refusal }
      return error
    default: return error
    }
  }

  /// Whether both are one file, whatever they are called.
  private static func isSame(_ left: URL, _ right: URL) -> Bool {
    if left.standardizedFileURL.path == right.standardizedFileURL.path { return true }
    guard let left = identity(left), let right = identity(right) else { return false }
    return left == right
  }

  private static func identity(_ url: URL) -> [UInt64]? {
    // What has no attributes does not exist, and so is not another file.
    let attributes = try? FileManager.default.attributesOfItem(
      atPath: url.path(percentEncoded: false))
    guard let device = attributes?[.systemNumber] as? NSNumber,
      let file = attributes?[.systemFileNumber] as? NSNumber
    else { return nil }
    return [device.uint64Value, file.uint64Value]
  }

  /// The size of what was written, in bytes.
  static func size(of url: URL) -> Int {
    var isFolder: ObjCBool = false
    let path = url.path(percentEncoded: false)
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return 0 }
    guard isFolder.boolValue else { return fileSize(url) }
    let files = FileManager.default.enumerator(at: url, includingPropertiesForKeys: [.fileSizeKey])
    return (files?.compactMap { $0 as? URL } ?? []).reduce(0) { $0 + fileSize($1) }
  }

  private static func fileSize(_ url: URL) -> Int {
    // Folders, and what was removed meanwhile, count for nothing.
    (try? url.resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey]))?.fileSize ?? 0
  }
}
