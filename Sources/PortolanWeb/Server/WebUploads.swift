internal import Foundation
internal import PortolanApp

/// Files that pages send, piece by piece, until they are imported.
///
/// They lie in a folder for temporary files. Of those that pages have abandoned the oldest makes room
/// for a new one, and all go when Portolan ends.
actor WebUploads {
  /// A file that was sent, or a part of it.
  struct Upload: Hashable, Sendable {
    /// The folder that it lies in alone.
    var folder: URL
    var file: URL
    /// The final size, in bytes.
    var size: Int
    /// The number of bytes received so far.
    var byteCount = 0
  }

  /// A piece of a file.
  struct Piece: Sendable {
    /// The page's name for the upload.
    var id: String
    /// The name of the file.
    var name: String
    /// The size of the whole file, in bytes.
    var size: Int
    /// The offset of the piece.
    var offset: Int
    /// The piece.
    var data: Data
  }

  /// The begun uploads, by the names that the pages give them.
  private var uploads: [String: Upload] = [:]
  /// The pages' names of the uploads, the one that received a piece last at the end.
  private var order: [String] = []
  private let freeSpace: @Sendable (URL) -> Int?

  /// The most files that are sent at once.
  private static let mostUploads = 8
  /// The most bytes of the name of a file that file systems of Linux take.
  private static let longestName = 255

  /// Creates a store with nothing in it; `freeSpace` returns how many bytes are free in a folder.
  init(freeSpace: @escaping @Sendable (URL) -> Int? = TemporaryFolder.freeSpace) {
    self.freeSpace = freeSpace
  }

  /// Takes a piece of a file; one that was sent twice is taken once.
  ///
  /// - Returns: How many bytes are there.
  /// - Throws: A problem if the piece does not follow the one before, there is no room for the file,
  ///   or it cannot be written.
  func append(_ piece: Piece) throws(Problem) -> Int {
    var upload = try upload(of: piece)
    order.removeAll { $0 == piece.id }
    order.append(piece.id)
    if upload.byteCount - piece.data.count == piece.offset { return upload.byteCount }
    guard piece.offset == upload.byteCount, piece.size == upload.size,
      piece.data.count <= upload.size - upload.byteCount
    else {
      throw Problem(
        message: "The pieces of \"\(piece.name)\" do not follow each other.",
        suggestion: "Choose the file again.")
    }
    do {
      let handle = try FileHandle(forWritingTo: upload.file)
      try handle.seekToEnd()
      try handle.write(contentsOf: piece.data)
      try handle.close()
    } catch {
      forget(piece.id)
      throw TemporaryFolder.unwritable(piece.name)
    }
    upload.byteCount += piece.data.count
    uploads[piece.id] = upload
    return upload.byteCount
  }

  /// Hands over a complete file, to one caller only; remove it afterwards.
  ///
  /// - Throws: A problem if there is none, or a part of it has not come.
  func take(_ id: String) throws(Problem) -> Upload {
    guard let upload = uploads[id] else {
      throw Problem(
        message: "Nothing was sent.", suggestion: "Choose the file again.", kind: .absence)
    }
    guard upload.byteCount == upload.size else {
      forget(id)
      throw Problem(
        message: "The file has not come whole.", suggestion: "Choose the file again.")
    }
    uploads[id] = nil
    order.removeAll { $0 == id }
    return upload
  }

  /// Removes a file that was handed over.
  func remove(_ upload: Upload) { TemporaryFolder.remove(upload.folder) }

  /// Removes everything.
  func removeAll() {
    for id in order { forget(id) }
  }

  private func forget(_ id: String) {
    order.removeAll { $0 == id }
    guard let upload = uploads.removeValue(forKey: id) else { return }
    remove(upload)
  }

  private func upload(of piece: Piece) throws(Problem) -> Upload {
    if let known = uploads[piece.id] { return known }
    let (name, size) = (piece.name, piece.size)
    guard (8...64).contains(piece.id.utf8.count), size > 0 else {
      throw Problem(.usage, message: "The request does not say what the piece belongs to.")
    }
    guard Self.isFileName(name) else {
      throw Problem(
        message: "\"\(name.prefix(100))\" cannot be the name of a file here.",
        suggestion: "Rename the file, then choose it again.")
    }
    if let free = freeSpace(TemporaryFolder.url), free < size {
      throw Problem(
        message: "\"\(name)\" needs \(ByteCount.text(size)) for a while; "
          + "the disk has \(ByteCount.text(free)) of free space.",
        suggestion: "Free some space, then choose the file again.",
        actions: [NextAction(.freeSpace)])
    }
    if order.count >= Self.mostUploads, let oldest = order.first { forget(oldest) }
    let folder = try TemporaryFolder.make(for: name)
    let upload = Upload(folder: folder, file: folder.appending(path: name), size: size)
    do { try Data().write(to: upload.file) } catch { throw TemporaryFolder.unwritable(name) }
    uploads[piece.id] = upload
    return upload
  }

  /// Whether a file can have this name, whatever its script.
  private static func isFileName(_ name: String) -> Bool {
    // By bytes: with an accent behind it a slash is another character.
    (1...longestName).contains(name.utf8.count) && ![".", ".."].contains(name)
      && !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
  }
}
