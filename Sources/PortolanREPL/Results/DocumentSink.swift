public import Foundation
internal import PortolanApp
internal import PortolanFiles
internal import Synchronization

/// Takes a document of any size, piece by piece.
///
/// With `--json` nothing may appear on standard output before all of it is certain, so the pieces
/// wait in a file without a name and are copied once the command has ended well. Otherwise they
/// are passed on as they come: a person or a pipe sees the first at once, and a failure midway
/// leaves the document without its end, reports why on standard error and exits with a status that
/// is not 0.
public final class DocumentSink: Sendable {
  private enum Destination {
    case console(any Console)
    case spool(FileHandle)
  }

  private static let pieceSize = 1 << 16

  private let destination: Destination
  private let pending = Mutex(Data())

  /// Creates a sink that passes pieces on to a console as they come.
  init(passingOnTo console: any Console) { destination = .console(console) }

  /// Creates a sink that keeps everything until ``finish(_:)``.
  ///
  /// The file is removed as soon as it is open, so that nothing is left whatever happens.
  init(spoolingIn folder: URL) throws(Failure) {
    let url = folder.appending(path: "portolan-\(UUID().uuidString)")
    let path = url.path(percentEncoded: false)
    let isCreated = FileManager.default.createFile(
      atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
    guard isCreated, let handle = FileHandle(forUpdatingAtPath: path) else {
      throw Failure(
        .noTemporaryFile, "No temporary file can be made.", reason: "In \(path).",
        suggestion: "Set TMPDIR to a folder that you may write to.")
    }
    // A spool that cannot be removed is harmless: it lies in the folder for such things.
    try? FileManager.default.removeItem(at: url)
    destination = .spool(handle)
  }

  /// Adds text to the document.
  ///
  /// - Throws: if standard output or the temporary file cannot be written.
  public func write(_ text: String) throws(Failure) { try write(Data(text.utf8)) }

  /// Adds bytes to the document.
  public func write(_ data: Data) throws(Failure) {
    let piece = pending.withLock { pending -> Data? in
      pending.append(data)
      guard pending.count >= Self.pieceSize else { return nil }
      defer { pending = Data() }
      return pending
    }
    if let piece { try pass(piece) }
  }

  /// Ends the document; what was kept is handed to `receive`, piece by piece.
  func finish(_ receive: (Data) throws(Failure) -> Void) throws(Failure) {
    let rest = pending.withLock { pending in
      defer { pending = Data() }
      return pending
    }
    try pass(rest)
    guard case .spool(let handle) = destination else { return }
    do {
      try handle.seek(toOffset: 0)
      while let piece = try handle.read(upToCount: Self.pieceSize), !piece.isEmpty {
        try receive(piece)
      }
    } catch { throw Failure(error) }
  }

  private func pass(_ piece: Data) throws(Failure) {
    switch destination {
    case .console(let console): try console.write(piece)
    case .spool(let handle):
      do { try handle.write(contentsOf: piece) } catch {
        throw Failure(
          .diskFull, "The result cannot be kept until it is whole.",
          reason: "\(error.plainReason).",
          suggestion: "Free some space, or set TMPDIR to a folder with more.")
      }
    }
  }
}
