internal import PortolanApp

/// The cache of tiles, as people read of it.
enum TileCacheText {
  /// The damaged files that were set aside, and how they are deleted; nothing where there are none.
  static func setAside(_ files: [SetAsideTileCache]) -> [TextDocument.Block] {
    guard !files.isEmpty else { return [] }
    let count = files.count == 1 ? "A damaged cache was" : "\(files.count) damaged caches were"
    let fate = files.count == 1 ? "it" : "them"
    let size = ByteCount.text(files.reduce(0) { $0 + $1.byteCount })
    return [
      .paragraph(
        "\(count) set aside, \(size); \"tiles clear --set-aside\" deletes \(fate):", indent: 0)
    ] + files.map { .line("  \($0.file)") }
  }
}
