/// A system call by which files come to the disk, move or go.
///
/// ``FileSystem`` announces each before it is made, so that tests can record their order and let any
/// of them fail.
public enum FileSystemCall: Hashable, Sendable {
  /// Looks at what has a name, where a mistake would move or write to what is there.
  case look(String)
  /// Opens a file or folder to read it, to sync it or to lock it.
  case open(String)
  /// Locks an open file or folder.
  case lock(String)
  /// Reads the names in a folder.
  case list(String)
  /// Creates a file, or opens one to write to it.
  case create(String)
  /// Writes bytes to an open file.
  case write(String)
  /// Changes the length of an open file.
  case truncate(String)
  /// Writes an open file or folder to the disk.
  case sync(String)
  /// Gives a file or folder another name; anything of that name is replaced.
  case rename(String, to: String)
  /// Gives a file or folder another name, which must be free.
  case move(String, to: String)
  /// Gives two files or folders the name of each other.
  case exchange(String, with: String)
  /// Gives a file a second name, which must be free.
  case link(String, to: String)
  /// Creates a folder.
  case makeFolder(String)
  /// Removes a file or an empty folder.
  case remove(String)
  /// Changes who may read and write a file or folder.
  case changeMode(String)

  /// The path that messages name: for a new name that one.
  public var path: String {
    switch self {
    case .look(let path), .open(let path), .lock(let path), .list(let path), .create(let path),
      .write(let path), .truncate(let path), .sync(let path), .makeFolder(let path),
      .remove(let path), .changeMode(let path):
      path
    case .rename(_, let path), .move(_, let path), .exchange(_, let path), .link(_, let path): path
    }
  }

  /// Whether the call only reads.
  var onlyReads: Bool {
    switch self {
    case .look, .open, .lock, .list: true
    default: false
    }
  }
}
