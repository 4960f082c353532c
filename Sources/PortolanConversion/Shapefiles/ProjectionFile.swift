package import Foundation
package import PortolanGeometry

extension SpatialReference {
  /// What the `.prj` beside a file says; `nil` if there is none.
  init?(beside url: URL) {
    let data = Data(besideShapes: url, ending: "prj")
    let text =
      data.map { String(decoding: $0, as: UTF8.self) }?
      .trimmingCharacters(
        in: .whitespacesAndNewlines.union(CharacterSet(charactersIn: "\u{FEFF}\0")))
      ?? ""
    guard !text.isEmpty else { return nil }
    self = SpatialReference(wkt: text).listed()
  }

  /// What the `.prj` beside a text file says; `nil` if there is none, or if it belongs to a shapefile.
  package init?(besideText url: URL) {
    guard !Self.hasShapes(beside: url) else { return nil }
    self.init(beside: url)
  }

  private static func hasShapes(beside url: URL) -> Bool {
    ["shp", "SHP"].contains { ending in
      let shapes = url.deletingPathExtension().appendingPathExtension(ending)
      return FileManager.default.fileExists(atPath: shapes.path(percentEncoded: false))
    }
  }
}

extension Data {
  /// A file beside another, whose ending may be in capitals; `nil` if there is none.
  init?(besideShapes url: URL, ending: String) {
    let stem = url.deletingPathExtension()
    for ending in [ending, ending.uppercased()] {
      // What is absent is done without.
      if let data = try? Data(
        contentsOf: stem.appendingPathExtension(ending), options: .mappedIfSafe)
      {
        self = data
        return
      }
    }
    return nil
  }
}
