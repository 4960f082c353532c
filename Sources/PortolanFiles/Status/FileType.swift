/// The type of a directory entry.
public enum FileType: String, Hashable, Sendable {
  /// A regular file.
  case file
  /// A folder.
  case folder
  /// A symbolic link, wherever it leads.
  case link
  /// A named pipe, which may keep its reader waiting for ever.
  case pipe
  /// A socket.
  case socket
  /// A disk, a terminal or another device.
  case device
}

extension FileType: CustomStringConvertible {
  public var description: String {
    switch self {
    case .file: "a file"
    case .folder: "a folder"
    case .link: "a symbolic link"
    case .pipe: "a named pipe"
    case .socket: "a socket"
    case .device: "a device"
    }
  }
}
