public import Foundation
internal import PortolanFiles
public import PortolanPortal

/// Keeps what is known of uploads in a folder, a file each, so that another run of the program can
/// go on with them.
///
/// A file that is damaged counts as none: the upload begins anew.
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
    // What cannot be read is as good as absent: nothing is lost but a part of an upload.
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

  /// The file of a record, named by a hash of the path (FNV-1a).
  private func place(of file: String) -> URL {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in file.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return folder.appending(path: "\(String(hash, radix: 16)).json")
  }
}
