public import PortolanPackages

/// Facts about a file as a whole.
public struct FileFacts: Hashable, Sendable {
  /// The kind of the file.
  public var kind: FileKind
  /// The file as messages name it.
  public var name: String
  /// The version of the format, as the file writes it.
  public var version: String?
  /// The size in bytes; `nil` for a folder.
  public var size: Int?

  /// Creates facts.
  public init(kind: FileKind, name: String, version: String? = nil, size: Int? = nil) {
    self.kind = kind
    self.name = name
    self.version = version
    self.size = size
  }
}
