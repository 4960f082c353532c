public import Foundation
internal import PortolanFeatures

extension GeodatabaseDelta.File {
  /// The same file, whose contents are on the disk rather than in memory where they are large, so that any
  /// number of files can be held.
  ///
  /// - Parameter folder: Where there is room; nothing is seen of them there.
  /// - Returns: The file, in memory where it is small, or where the disk takes no more.
  public func onDisk(in folder: URL) -> Self {
    var file = self
    file.attachment.data = attachment.data.mapped(in: folder)
    return file
  }
}

extension Data {
  /// From how many bytes on they are on the disk rather than in memory.
  private static let leastMapped = 1 << 18

  /// The same bytes, which are read from the disk when they are needed where they are many; in memory where
  /// the disk takes no more.
  fileprivate func mapped(in folder: URL) -> Data {
    guard count >= Self.leastMapped else { return self }
    let file = folder.appending(path: ".\(UUID().uuidString).scratch")
    // It has no name while it is used; one that cannot be removed lies in a folder that is emptied.
    defer { try? FileManager.default.removeItem(at: file) }
    // What cannot be written, or read again, stays in memory, as said above.
    guard (try? write(to: file)) != nil else { return self }
    // Likewise.
    return (try? Data(contentsOf: file, options: .alwaysMapped)) ?? self
  }
}
