#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The names in a folder, hidden ones too, in the order of their bytes.
struct FolderNames {
  /// The names that are valid UTF-8: no path of this program can name anything else.
  let names: [String]
  /// The bytes of the other names.
  let rawNames: [[CChar]]

  init(of path: String, in fileSystem: FileSystem = .live) throws(FileError) {
    try self.init(ofRaw: Array(path.utf8CString), shownAs: path, in: fileSystem)
  }

  /// Reads the names in a folder whose path is bytes, with a zero at their end.
  init(
    ofRaw path: [CChar], shownAs shown: String, in fileSystem: FileSystem
  ) throws(FileError) {
    try fileSystem.perform(.list(shown)) { 0 }
    guard let folder = unsafe opendir(path) else { throw FileError(.list(shown), code: errno) }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    var rawNames: [[CChar]] = []
    while true {
      // Only this distinguishes the end from a disk that fails, after which some of the names are unknown.
      errno = 0
      guard let entry = unsafe readdir(folder) else { break }
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) {
          unsafe String(validatingCString: $0)
        }
      }
      guard let name else {
        let bytes = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
          unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) {
            unsafe Array(UnsafeBufferPointer(start: $0, count: strlen($0)))
          }
        }
        rawNames.append(bytes)
        continue
      }
      if name != ".", name != ".." { names.append(name) }
    }
    guard errno == 0 else { throw FileError(.list(shown), code: errno) }
    self.rawNames = rawNames
    self.names = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
