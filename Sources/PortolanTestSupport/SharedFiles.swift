public import Foundation
public import Testing

/// The samples and recorded bodies beside the project, which it does not contain.
public enum SharedFiles {
  /// The folder `shared` beside the checkout, or the one that `PORTOLAN_SHARED` names.
  public static let folder =
    ProcessInfo.processInfo.environment["PORTOLAN_SHARED"].map { URL(filePath: $0) }
    ?? URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../shared").standardizedFileURL

  /// Whether the folder is there.
  public static var isPresent: Bool {
    FileManager.default.fileExists(atPath: folder.path(percentEncoded: false))
  }

  /// A file or folder below `shared`, for example `samples/tile-packages/Usa.tpkx`.
  public static func url(_ path: String) -> URL { folder.appending(path: path) }

  /// Copies a file or folder below `shared`; its files may be written, or none of them.
  public static func copy(_ path: String, to copy: URL, isWritable: Bool = true) throws {
    let files = FileManager.default
    try files.copyItem(at: url(path), to: copy)
    let root = copy.path(percentEncoded: false)
    let inside = files.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
    for item in [root] + inside.map({ "\(root)/\($0)" }) {
      let isFolder =
        try files.attributesOfItem(atPath: item)[.type] as? FileAttributeType
        == .typeDirectory
      // A folder stays writable, so that the test can remove it.
      let mode = isFolder ? 0o755 : isWritable ? 0o644 : 0o444
      try files.setAttributes([.posixPermissions: mode], ofItemAtPath: item)
    }
  }

  /// The bytes of a file below `shared`.
  public static func data(_ path: String) throws -> Data { try Data(contentsOf: url(path)) }
}

extension Trait where Self == ConditionTrait {
  /// Skips the test, saying so, where the shared samples are absent.
  public static var needsSharedFiles: Self {
    .enabled(if: SharedFiles.isPresent, "needs ../shared beside the checkout, which is absent")
  }
}
