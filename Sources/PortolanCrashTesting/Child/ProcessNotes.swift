internal import Dispatch
internal import Foundation
internal import Synchronization

/// The standard error of a process, read while it runs.
///
/// It is read beside standard output: a process whose standard error is not read stops once the
/// pipe is full, and the reader of its standard output would wait with it.
final class ProcessNotes: Sendable {
  private let bytes = Mutex(Data())
  private let reading = DispatchGroup()

  /// Begins to read, to the end of the file.
  init(_ file: FileHandle) {
    reading.enter()
    Thread.detachNewThread { [self] in
      // What came before an error is what there is.
      while let data = try? file.read(upToCount: 1 << 16), !data.isEmpty {
        bytes.withLock { $0.append(data) }
      }
      reading.leave()
    }
  }

  /// All of it, once all writers have closed it.
  func text() -> String {
    reading.wait()
    return bytes.withLock { String(decoding: $0, as: UTF8.self) }
  }
}
