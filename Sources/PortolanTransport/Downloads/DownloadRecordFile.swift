internal import Foundation
internal import PortolanFiles

/// The file that holds the record of a partial download.
struct DownloadRecordFile: Hashable, Sendable {
  let url: URL

  /// The record, if there is one that can be read.
  func read() -> DownloadRecord? {
    // Without a record, or with a broken one, the download starts over.
    guard let data = try? Data(contentsOf: url), data.count < 1 << 16 else { return nil }
    return try? JSONDecoder().decode(DownloadRecord.self, from: data)  // as above
  }

  /// Writes the record durably: after this, bytes of the part are known to be of that file.
  func write(_ record: DownloadRecord) throws(TransportError) {
    let draft = url.appendingPathExtension("new")
    try remove(draft)
    let part = try PartFile(at: draft)
    let data: Data
    do {
      data = try JSONEncoder().encode(record)
    } catch {
      throw .storage(file: url.path(percentEncoded: false), reason: "\(error)")
    }
    try unsafe part.write(data.span.bytes, at: 0)
    try part.commit(to: url)
  }

  /// Removes the record, if there is one.
  func remove() throws(TransportError) { try remove(url) }

  private func remove(_ url: URL) throws(TransportError) {
    do {
      try FileManager.default.removeItem(at: url)
    } catch CocoaError.fileNoSuchFile {
      return
    } catch {
      throw .storage(
        file: url.path(percentEncoded: false), reason: error.plainReason)
    }
  }
}
