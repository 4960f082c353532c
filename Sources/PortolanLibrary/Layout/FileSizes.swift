internal import Foundation

/// How much room files take.
enum FileSizes {
  /// The bytes in a file, or in all files of a folder; links are not followed.
  static func total(of url: URL) -> Int {
    let keys: Set<URLResourceKey> = [.isRegularFileKey, .fileSizeKey]
    func size(_ url: URL) -> Int {
      // A file that goes meanwhile takes no room.
      guard let values = try? url.resourceValues(forKeys: keys), values.isRegularFile == true else {
        return 0
      }
      return values.fileSize ?? 0
    }
    guard
      let files = FileManager.default.enumerator(
        at: url, includingPropertiesForKeys: Array(keys), options: [])
    else { return size(url) }
    var total = size(url)
    for case let file as URL in files { total += size(file) }
    return total
  }
}
