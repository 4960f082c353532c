public import Foundation

/// A file that the portal makes when it is first requested.
public struct DemoFile: Sendable {
  /// The file's name, which no other file of the portal has.
  public let name: String

  /// Writes the file; the text is the address of the portal, for what names its services.
  let write: @Sendable (URL, String) async throws -> Void

  /// Creates a file that is not there yet.
  ///
  /// - Parameters:
  ///   - name: The file's name.
  ///   - write: Writes the file, for the portal at an address without a slash at its end.
  public init(name: String, write: @escaping @Sendable (URL, String) async throws -> Void) {
    self.name = name
    self.write = write
  }
}

/// A picture that the portal draws when it is first requested.
public struct DemoPicture: Sendable {
  /// The file's name.
  public let name: String

  /// Draws the picture as PNG.
  let draw: @Sendable () throws -> Data

  /// Creates a picture.
  public init(name: String, draw: @escaping @Sendable () throws -> Data) {
    self.name = name
    self.draw = draw
  }
}

/// The files that have been made.
actor DemoFiles {
  private let folder: URL
  private var files: [String: Task<URL, any Error>] = [:]
  private var finished: [String: URL] = [:]

  /// Files go into `folder`, which is made when the first one is.
  init(folder: URL) { self.folder = folder }

  deinit {
    // Leftovers are in the folder for temporary files, which the system empties.
    try? FileManager.default.removeItem(at: folder)
  }

  /// The file, made for the portal at `base` if it is not there yet.
  func url(of file: DemoFile, at base: String) async throws -> URL {
    if let known = files[file.name] { return try await known.value }
    let folder = folder
    let making = Task {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let url = folder.appending(path: file.name)
      try await file.write(url, base)
      return url
    }
    files[file.name] = making
    let url = try await making.value
    finished[file.name] = url
    return url
  }

  /// The file, if it has been made.
  func finishedURL(of file: DemoFile) -> URL? { finished[file.name] }

  /// Removes all files.
  func removeAll() {
    files = [:]
    finished = [:]
    // Leftovers are in the folder for temporary files, which the system empties.
    try? FileManager.default.removeItem(at: folder)
  }
}
