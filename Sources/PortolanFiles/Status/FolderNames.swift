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

  init(of path: String) throws(FileError) {
    guard let folder = unsafe opendir(path) else { throw FileError(.open(path), code: errno) }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) {
          unsafe String(validatingCString: $0)
        }
      }
      if let name, name != ".", name != ".." { names.append(name) }
    }
    self.names = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
