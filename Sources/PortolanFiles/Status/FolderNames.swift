#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The names in a folder, hidden ones too, in the order of their bytes.
///
/// Names that are not valid UTF-8 are left out: no path of this program can name them.
struct FolderNames {
  let names: [String]

  init(of path: String, in fileSystem: FileSystem = .live) throws(FileError) {
    try fileSystem.perform(.list(path)) { 0 }
    guard let folder = unsafe opendir(path) else { throw FileError(.list(path), code: errno) }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while true {
      // Only this distinguishes the end from a disk that fails, after which some of the names are unknown.
      errno = 0
      guard let entry = unsafe readdir(folder) else { break }
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) {
          unsafe String(validatingCString: $0)
        }
      }
      if let name, name != ".", name != ".." { names.append(name) }
    }
    guard errno == 0 else { throw FileError(.list(path), code: errno) }
    self.names = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
