package import Foundation
package import PortolanGeometry

/// The `.prj` beside a file, which says what its coordinates mean.
///
/// One that defines nothing that is understood counts as missing, and is named.
package struct ProjectionFile {
  /// What it says; `nil` if it is missing, or counts as such.
  package let reference: SpatialReference?
  /// What it says, if that is not understood.
  package let unknown: UnknownReference?

  /// Reads the file beside another, if there is one.
  init(beside url: URL) {
    let data = Data(besideShapes: url, ending: "prj")
    let text =
      data.map { String(decoding: $0, as: UTF8.self) }?
      .trimmingCharacters(
        in: .whitespacesAndNewlines.union(CharacterSet(charactersIn: "\u{FEFF}\0")))
      ?? ""
    self.init(text: text, file: url.deletingPathExtension().lastPathComponent + ".prj")
  }

  /// Reads the file beside a text file, unless it belongs to a shapefile.
  package init(besideText url: URL) {
    guard !Self.hasShapes(beside: url) else {
      self.init(text: "", file: "")
      return
    }
    self.init(beside: url)
  }

  private init(text: String, file: String) {
    let reference = text.isEmpty ? nil : SpatialReference(defined: text)
    self.reference = reference
    unknown =
      text.isEmpty || reference != nil
      ? nil
      : UnknownReference(
        fact: "\"\(file)\" defines no spatial reference that is known",
        remedy: "Say what the coordinates mean, or put another file in its place.")
  }

  private static func hasShapes(beside url: URL) -> Bool {
    ["shp", "SHP"].contains { ending in
      let shapes = url.deletingPathExtension().appendingPathExtension(ending)
      return FileManager.default.fileExists(atPath: shapes.path(percentEncoded: false))
    }
  }
}

extension SpatialReference {
  /// What a text defines, with the id under which it is listed; `nil` if that is not understood.
  init?(defined text: String) {
    let reference = SpatialReference(wkt: text).listed()
    // Why a text is no definition says nothing to people who did not write it.
    var isKnown = (try? reference.properties()) != nil
    // One that is bound to WGS 84 by its datum's parameters has no properties of its own, but a way there.
    if !isKnown { isKnown = (try? Projection(from: reference, to: .wgs84)) != nil }
    guard isKnown else { return nil }
    self = reference
  }

  /// What a `.prj` says of the reference; `nil` if nothing can be said in its form.
  ///
  /// Programs that read shapefiles do not understand the later form of well-known text, which other files have.
  var projectionFileText: String? {
    // A reference without a definition leaves shapefiles without one.
    guard let text = try? esriWellKnownText() else { return nil }
    guard Self.isLaterForm(text) else { return text }
    return plainWellKnownText().flatMap { Self.isLaterForm($0) ? nil : $0 }
  }

  /// Whether a text is in the form of 2015 and later, in which the keywords of references end in `CRS`.
  private static func isLaterForm(_ text: String) -> Bool {
    text.prefix { $0 != "[" && $0 != "(" }.trimmingCharacters(in: .whitespaces).uppercased()
      .hasSuffix("CRS")
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
