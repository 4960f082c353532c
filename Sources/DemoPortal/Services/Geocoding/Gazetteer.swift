internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanSample

/// The places that the demo portal can find by name.
struct Gazetteer: Sendable {
  /// A place.
  struct Place: Sendable {
    /// The key that distinguishes it from the others.
    let key: String
    let name: String
    /// The kind in the words of World geocoders: `City`, `Park`, `Lighthouse`, ...
    let type: String
    /// The larger thing that it lies in, for addresses.
    let county: String
    /// In degrees.
    let location: Coordinate
    /// In degrees.
    let extent: Envelope

    /// The name with what it lies in.
    var address: String {
      (county.isEmpty ? [name] : [name, county]).joined(separator: ", ") + ", Maine"
    }

    /// `POI` for things, `Locality` for places where people live.
    var addressType: String { type == "City" ? "Locality" : "POI" }
  }

  /// The places, in the order of the sample.
  let places: [Place]

  /// The kinds, each once, which suggestions offer as collections.
  var types: [String] {
    var seen: Set<String> = []
    return places.map(\.type).filter { seen.insert($0).inserted }
  }

  /// Lists the places of the sample.
  init(_ contents: SampleContents) throws {
    let toDegrees = try Projection(from: .webMercator, to: .wgs84)
    let kinds = [
      "Towns": "City", "Lighthouses": "Lighthouse", "Parks": "Park", "Lakes": "Lake",
      "Counties": "County", "Trails": "Trail",
    ]
    places = try contents.tables.flatMap { table -> [Place] in
      guard let type = kinds[table.schema.name] else { return [] }
      return try table.rows.compactMap { row in
        try Self.place(row.feature, type, "\(table.schema.name)/\(row.feature.objectID)", toDegrees)
      }
    }
  }

  private static func place(
    _ feature: Feature, _ type: String, _ key: String, _ toDegrees: Projection
  ) throws -> Place? {
    guard case .text(let name)? = feature.attributes["NAME"],
      let box = feature.geometry?.extent
    else { return nil }
    let extent = try toDegrees.project(box)
    let location = extent.center
    var county = ""
    if case .text(let text)? = feature.attributes["COUNTY"] { county = "\(text) County" }
    return Place(
      key: key, name: name, type: type, county: county, location: location,
      extent: extent.expanded(by: max(0.01, 0.1 * max(extent.width, extent.height))))
  }
}

extension Gazetteer {
  /// A place and how well it fits, up to 100.
  struct Match: Sendable {
    let place: Place
    let score: Double
  }

  /// The places whose names fit a text, the best first.
  func matches(_ text: String) -> [Match] {
    let wanted = Self.words(of: text)
    guard !wanted.isEmpty else { return [] }
    return places.compactMap { place in
      Self.score(wanted, place).map { Match(place: place, score: $0) }
    }.sorted { ($1.score, $0.place.name, $0.place.key) < ($0.score, $1.place.name, $1.place.key) }
  }

  /// The words, without accents and case.
  static func words(of text: String) -> [String] {
    text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
      .split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  /// Each word must begin one of the place's; a name that is not complete scores less.
  private static func score(_ wanted: [String], _ place: Place) -> Double? {
    let name = words(of: place.name)
    let others = words(of: place.address) + words(of: place.type) + ["me"]
    guard wanted.allSatisfy({ word in (name + others).contains { $0.hasPrefix(word) } }),
      let first = wanted.first,
      (name + words(of: place.type)).contains(where: { $0.hasPrefix(first) })
    else { return nil }
    if wanted.starts(with: name) { return 100 }
    let hits = wanted.filter { word in name.contains { $0.hasPrefix(word) } }
    let covered = Double(hits.reduce(0) { $0 + $1.count })
    let whole = Double(max(1, name.reduce(0) { $0 + $1.count }))
    return (70 + 29 * min(1, covered / whole)).rounded()
  }
}
