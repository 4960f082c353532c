internal import Foundation
internal import PortolanApp

/// Packages that pages send, piece by piece, until they are brought in.
///
/// They lie in a folder for temporary files; a page that goes away leaves nothing there but what the
/// system empties.
actor WebUploads {
  private struct Upload {
    var folder: URL
    var file: URL
    var byteCount = 0
  }

  private var uploads: [String: Upload] = [:]

  /// The most packages that are sent at once.
  private static let mostUploads = 8

  /// Takes a piece of a package.
  ///
  /// - Parameters:
  ///   - data: The piece.
  ///   - offset: Where it belongs; a piece that was sent twice is taken once.
  ///   - id: What the page calls the package.
  ///   - name: The name of the file.
  /// - Returns: How many bytes are there.
  /// - Throws: A problem if the piece does not follow the one before, or cannot be written.
  func append(
    _ data: Data, at offset: Int, to id: String, named name: String
  ) throws(Problem) -> Int {
    var upload = try upload(id, name)
    if upload.byteCount - data.count == offset { return upload.byteCount }
    guard offset == upload.byteCount else {
      throw Problem(message: "A piece of \"\(name)\" is missing.", suggestion: "Drop it again.")
    }
    do {
      let handle = try FileHandle(forWritingTo: upload.file)
      try handle.seekToEnd()
      try handle.write(contentsOf: data)
      try handle.close()
    } catch {
      remove(id)
      throw Problem(
        message: "\"\(name)\" cannot be written to the folder for temporary files.",
        suggestion: "Check that there is enough free space.")
    }
    upload.byteCount += data.count
    uploads[id] = upload
    return upload.byteCount
  }

  /// The file of a package that has come.
  func file(of id: String) throws(Problem) -> URL {
    guard let upload = uploads[id] else {
      throw Problem(
        message: "Nothing was sent.", suggestion: "Drop the file again.", kind: .absence)
    }
    return upload.file
  }

  /// Removes a package that was brought in or given up.
  func remove(_ id: String) {
    guard let upload = uploads.removeValue(forKey: id) else { return }
    // What stays behind is in the folder for temporary files, which the system empties.
    try? FileManager.default.removeItem(at: upload.folder)
  }

  private func upload(_ id: String, _ name: String) throws(Problem) -> Upload {
    if let known = uploads[id] { return known }
    let isName = !name.hasPrefix(".") && !name.contains { "/\\\0".contains($0) }
    guard isName, (1...200).contains(name.utf8.count), (8...64).contains(id.utf8.count),
      uploads.count < Self.mostUploads
    else { throw Problem(message: "\"\(name.prefix(100))\" cannot be imported here.") }
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "portolan-\(UUID().uuidString)", directoryHint: .isDirectory)
    let upload = Upload(folder: folder, file: folder.appending(path: name))
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      try Data().write(to: upload.file)
    } catch {
      throw Problem(
        message: "\"\(name)\" cannot be written to the folder for temporary files.",
        suggestion: "Check that there is enough free space.")
    }
    uploads[id] = upload
    return upload
  }
}
