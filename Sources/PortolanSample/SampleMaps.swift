internal import Foundation
internal import PortolanJSON
internal import PortolanMap
internal import PortolanPackages

/// The maps of the sample, which are web maps in text files.
struct SampleMaps {
  private let sources: SampleSources

  init(_ sources: SampleSources) { self.sources = sources }

  /// The maps in order; each source holds a `map` and an `item`, as packages do.
  func maps(thumbnail: Data) throws -> [NewMobileMap] {
    try ExploreMaine.mapNames.map { name in
      let source = "maps/\(name).json"
      let document = try sources.document(source)
      guard let map = document["map"] else {
        throw SampleError.damagedSource(name: source, place: "map")
      }
      let item = document["item"]
      return NewMobileMap(
        name: name, title: item?["title"]?.string, summary: item?["summary"]?.string ?? "",
        tags: (item?["tags"]?.array ?? []).compactMap(\.string), id: SampleID.uuid("map/\(name)"),
        extent: ExploreMaine.extent, thumbnail: thumbnail, webMap: try WebMap(json: map))
    }
  }
}
