internal import Foundation

/// The file of an upload, read in parts, which must not change meanwhile.
struct UploadSource: ~Copyable {
  let size: Int
  let modified: Date
  private let url: URL
  private let handle: FileHandle

  init(_ url: URL) throws(SharingError) {
    let facts = try Self.facts(of: url)
    let opened = try Self.open(url)
    self.url = url
    handle = opened
    size = facts.size
    modified = facts.modified
  }

  private static func open(_ url: URL) throws(SharingError) -> FileHandle {
    do { return try FileHandle(forReadingFrom: url) } catch {
      throw .unreadable(file: url.lastPathComponent)
    }
  }

  deinit {
    // A file that was only read loses nothing.
    try? handle.close()
  }

  /// A part of the file.
  func read(_ range: Range<Int>) throws(SharingError) -> Data {
    do {
      try handle.seek(toOffset: UInt64(range.lowerBound))
      if let data = try handle.read(upToCount: range.count), data.count == range.count {
        return data
      }
    } catch {
      throw .unreadable(file: url.lastPathComponent)
    }
    throw .changed(file: url.lastPathComponent)
  }

  /// Refuses a file that was changed while it was read.
  func check() throws(SharingError) {
    let facts = try Self.facts(of: url)
    guard facts.size == size, facts.modified == modified else {
      throw .changed(file: url.lastPathComponent)
    }
  }

  private static func facts(of url: URL) throws(SharingError) -> (size: Int, modified: Date) {
    let file = url.lastPathComponent
    let facts: [FileAttributeKey: Any]
    do {
      facts = try FileManager.default.attributesOfItem(
        atPath: url.resolvingSymlinksInPath().path(percentEncoded: false))
    } catch CocoaError.fileReadNoSuchFile {
      throw .noSuchFile(file: file)
    } catch {
      throw .unreadable(file: file)
    }
    let type = facts[.type] as? FileAttributeType
    // A link whose target is missing resolves to itself.
    guard type != .typeSymbolicLink else { throw .noSuchFile(file: file) }
    guard type == .typeRegular, let size = facts[.size] as? NSNumber, size.intValue > 0,
      let modified = facts[.modificationDate] as? Date
    else { throw .unreadable(file: file) }
    return (size.intValue, modified)
  }
}
