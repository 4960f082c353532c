public import Foundation
internal import PortolanFiles
public import PortolanPortal

/// Keeps what is known of uploads in a folder, a file each, so that another run of the program can
/// continue with them.
///
/// A file that is damaged counts as none: the upload starts over.
public struct UploadLedgerFolder: UploadLedger {
  private let folder: URL
  private let prepare: @Sendable () throws -> Void

  /// No record is longer, in bytes.
  private static let maximumLength = 1 << 16

  /// Keeps records in `folder`; `prepare` makes it when the first one is kept.
  public init(in folder: URL, preparedBy prepare: @escaping @Sendable () throws -> Void) {
    self.folder = folder
    self.prepare = prepare
  }

  @concurrent public func record(of file: String) async -> UploadRecord? {
    // A record that cannot be read is as good as absent: nothing is lost but a part of an upload.
    let record = try? JSONDecoder().decode(
      UploadRecord.self, from: FileSystem.live.read(place(of: file), limit: Self.maximumLength))
    return record?.file == file ? record : nil
  }

  @concurrent public func keep(_ record: UploadRecord) async throws {
    try prepare()
    try FileSystem.live.write(try JSONEncoder().encode(record), to: place(of: record.file))
  }

  @concurrent public func forget(_ file: String) async {
    // A record that stays is of no harm: it is looked at again with the same file.
    try? FileManager.default.removeItem(at: place(of: file))
  }

  @concurrent public func hold(_ file: String) async throws -> (any Sendable)? {
    try prepare()
    // A byte of one file stands for each: what is locked need not be removed.
    let byte = Int64(UInt32(truncatingIfNeeded: URL.documentHash(of: file)))
    let held: ByteLock?
    do { held = try ByteLock.attempt(at: byte, of: folder.appending(path: ".lock")) } catch {
      // If nothing can be locked, files are shared all the same.
      return nil
    }
    guard held != nil else {
      throw SharingError.inUse(file: URL(filePath: file).lastPathComponent)
    }
    return held
  }

  private func place(of file: String) -> URL { folder.appending(documentNamedAfter: file) }
}
