internal import Foundation
internal import PortolanApp
internal import PortolanFeatures
internal import PortolanFiles

/// The place where attachments are saved: a folder, or a file for one of them.
struct AttachmentTarget: Sendable {
  private let url: URL
  private let isFolder: Bool

  /// Takes a path as people type it: a folder if it ends in a slash, if one is there, or if more
  /// than one file may be saved.
  init(_ path: String, isSingle: Bool) {
    url = URL(typedPath: path)
    // A place that cannot be examined does not exist, or writing into it says why.
    let isThere = (try? url.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory
    isFolder = isThere ?? (path.hasSuffix("/") || !isSingle)
  }

  /// The file of each attachment; names come from the data, so none leads out of the folder, and
  /// each is there once.
  func files(for attachments: [Attachment]) -> [URL] {
    guard isFolder else { return [url] }
    var taken: Set<String> = []
    return attachments.map { attachment in
      let name = Self.safeName(attachment)
      let isFree = taken.insert(name.lowercased()).inserted
      return url.appending(path: isFree ? name : "\(attachment.id)-\(name)")
    }
  }

  private static func safeName(_ attachment: Attachment) -> String {
    let name =
      attachment.name.withoutControlCharacters
      .split(whereSeparator: { "/\\".contains($0) }).last.map(String.init) ?? ""
    let plain = String(name.drop { $0 == "." }.prefix(200))
    return plain.isEmpty ? "attachment-\(attachment.id)" : plain
  }

  /// Makes the folder; one that is private can be read by this user only.
  func prepare(isPrivate: Bool = false) throws(Failure) {
    guard isFolder else { return }
    do {
      try FileManager.default.createDirectory(
        at: url, withIntermediateDirectories: true,
        attributes: isPrivate ? [.posixPermissions: 0o700] : nil)
    } catch {
      throw Failure(
        .unwritable, "The folder \(url.relativePath) cannot be made.",
        reason: "\(error.plainReason).", suggestion: "Choose another folder.",
        file: url.relativePath)
    }
  }

  /// Writes a file, which appears when it is complete.
  @concurrent func write(_ data: Data, to file: URL, replaces: Bool) async throws(Failure) {
    let path = file.relativePath
    do throws(FileError) {
      try FileSystem.live.write(data, to: file, replacing: replaces)
    } catch .alreadyExists {
      throw Failure(
        .alreadyExists, "\(path) exists already.",
        suggestion: "Choose another place, or give --yes to replace it.", file: path)
    } catch {
      throw Failure(
        .unwritable, "\(path) cannot be written.", reason: "\(error.plainReason).",
        suggestion: "Check that you may write there and that there is free space.", file: path)
    }
  }
}
